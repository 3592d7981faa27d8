/** The part of the `qrcode` package used here; it comes without types. */
declare module 'qrcode' {
	const QRCode: { toBuffer(text: string): Promise<Buffer> };
	export default QRCode;
}
