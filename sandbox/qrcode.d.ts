/** The part of the `qrcode` package used here; it comes without types. */
declare module 'qrcode' {
	const QRCode: {
		toBuffer(text: string): Promise<Buffer>;
		toString(text: string, options: { type: 'svg' }): Promise<string>;
	};
	export default QRCode;
}
