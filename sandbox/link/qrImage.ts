import QRCode from 'qrcode';
import { Failure } from '../failure.ts';
import { isRecord, nonEmpty, readText } from '../input.ts';
import type { Fields } from '../input.ts';

export const QR_TYPES = ['text', 'vcard', 'link', 'email', 'phone', 'sms', 'wifi'] as const;
export type QrType = (typeof QR_TYPES)[number];

/** vCard properties, and the member of the data each is taken from. */
const VCARD_PROPERTIES: ReadonlyArray<[string, string]> = [
	['ORG', 'company'],
	['TEL;TYPE=voice', 'phone'],
	['EMAIL', 'email'],
	['URL', 'site'],
	['ADR', 'address'],
	['NOTE', 'note'],
];

/** The text that a phone reads in the code. `data` is a text, or an object that fits the type. */
export function qrText(type: QrType, data: unknown): string {
	if (typeof data === 'string' || typeof data === 'number') return fromText(type, String(data));
	const fields = dataFields(data);
	switch (type) {
		case 'vcard':
			return vcard(fields);
		case 'email': {
			const query = new URLSearchParams();
			for (const name of ['subject', 'body']) {
				const value = readText(fields, name);
				if (value) query.set(name, value);
			}
			const search = query.size ? `?${query.toString().replaceAll('+', '%20')}` : '';
			return `mailto:${needed(fields, 'email')}${search}`;
		}
		case 'sms':
			return `SMSTO:${needed(fields, 'phone')}:${readText(fields, 'message') ?? ''}`;
		case 'wifi':
			return `WIFI:T:${nonEmpty(readText(fields, 'encryption')) ?? 'nopass'};S:${wifi(needed(fields, 'ssid'))};P:${wifi(readText(fields, 'pass') ?? '')};;`;
		case 'phone':
			return `tel:${needed(fields, 'phone')}`;
		case 'link':
			return checkedLink(needed(fields, 'link'));
		case 'text':
			return needed(fields, 'text');
	}
}

function fromText(type: QrType, text: string): string {
	if (text.trim() === '') throw new Failure(422, 'data is required.');
	switch (type) {
		case 'link':
			return checkedLink(text);
		case 'email':
			return `mailto:${text}`;
		case 'phone':
			return `tel:${text}`;
		case 'sms':
			return `SMSTO:${text}:`;
		case 'text':
		case 'vcard':
		case 'wifi':
			return text;
	}
}

/** Colours as `rgb(r,g,b)`. */
export interface QrColours {
	foreground: string;
	background: string;
}

const renderOptions = ({ foreground, background }: QrColours) => ({
	errorCorrectionLevel: 'M' as const,
	margin: 2,
	width: 200,
	color: { dark: hexColour(foreground), light: hexColour(background) },
});

/** Throws a failure if the text is too long for a QR code. */
export function checkFits(text: string): void {
	try {
		QRCode.create(text, { errorCorrectionLevel: 'M' });
	} catch {
		throw new Failure(422, 'data is too long for a QR code.');
	}
}

export const qrPng = (text: string, colours: QrColours): Promise<Buffer> =>
	// Without it, the encoder tries five filters per line, which do nothing for squares.
	QRCode.toBuffer(text, { ...renderOptions(colours), rendererOpts: { filterType: 0 } });

export const qrSvg = (text: string, colours: QrColours): Promise<string> =>
	QRCode.toString(text, { ...renderOptions(colours), type: 'svg' });

/** `rgb(255, 0, 0)` as `#ff0000`; undefined for what is no such colour. */
export function hexOf(colour: string): string | undefined {
	const parts = /^rgb\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)$/.exec(colour)?.slice(1);
	const numbers = parts?.map(Number);
	if (!numbers || numbers.some((number) => number > 255)) return undefined;
	return `#${numbers.map((number) => number.toString(16).padStart(2, '0')).join('')}`;
}

const hexColour = (colour: string): string => hexOf(colour) ?? '#000000';

/** A PHP client sends `[]` for an empty object, and arrays of pairs are no object. */
function dataFields(data: unknown): Fields {
	if (!isRecord(data) || Object.keys(data).length === 0) {
		throw new Failure(422, 'data is required: a text, or an object with members fitting the type.');
	}
	return data;
}

function needed(fields: Fields, name: string): string {
	const value = readText(fields, name);
	if (!value?.trim()) throw new Failure(422, `data.${name} is required.`);
	return value;
}

function checkedLink(link: string): string {
	if (!URL.canParse(link) || !/^https?:$/.test(new URL(link).protocol)) {
		throw new Failure(422, 'data must be an http or https URL.');
	}
	return link;
}

function vcard(fields: Fields): string {
	const [first, last] = ['fname', 'lname'].map((name) => vcardText(readText(fields, name) ?? ''));
	const properties = VCARD_PROPERTIES.flatMap(([property, member]) => {
		const value = readText(fields, member);
		return value ? [`${property}:${vcardText(value)}`] : [];
	});
	const name = [`N:${last};${first}`, `FN:${`${first} ${last}`.trim()}`];
	return ['BEGIN:VCARD', 'VERSION:3.0', ...name, ...properties, 'END:VCARD'].join('\r\n');
}

/** Escapes the characters that have a meaning in vCards (RFC 6350) and in Wi-Fi codes. */
const vcardText = (value: string): string =>
	value.replace(/[\\;,]/g, '\\$&').replace(/\r?\n/g, '\\n');
const wifi = (value: string): string => value.replace(/[\\;,:"]/g, '\\$&');
