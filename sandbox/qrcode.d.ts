/** The part of the `qrcode` package used here; it comes without types. */
declare module 'qrcode' {
	interface RenderOptions {
		errorCorrectionLevel?: 'L' | 'M' | 'Q' | 'H';
		margin?: number;
		width?: number;
		/** `#rrggbb` */
		color?: { dark: string; light: string };
		/** Options of the PNG encoder. */
		rendererOpts?: { filterType: 0 };
	}
	const QRCode: {
		/** Throws when the text is too long for a QR code. */
		create(text: string, options: RenderOptions): unknown;
		toBuffer(text: string, options: RenderOptions): Promise<Buffer>;
		toString(text: string, options: RenderOptions & { type: 'svg' }): Promise<string>;
	};
	export default QRCode;
}
