// Placeholders of mail and ad tools, which find them only as they are written.

/**
 * `{x}`: Google Ads and Microsoft Advertising (ValueTrack). `{{x}}`: Meta Ads, HubSpot, Brevo. `${x}`: OpenRTB (AUCTION_PRICE).
 * `[x]`: Campaign Monitor. `%%X%%`: Salesforce Marketing Cloud (AMPscript). `*|X|*`: Mailchimp merge tags. `<%= x %>`: Adobe
 * Campaign. `__X__`: TikTok Ads.
 */
const MERGE_TAG =
	/(\$?\{(?:[^{}]|\{[^{}]*\})*\}|\[[^[\]]*\]|%%[^%]+%%|\*\|[^|]+\|\*|<%.*?%>|__[A-Z][A-Z\d_]*?__)/;

type Change = (part: string) => string;

/** A text with everything changed but its placeholders. @param keep what becomes of those */
export const besidePlaceholders = (
	text: string,
	change: Change,
	keep: Change = (placeholder) => placeholder,
): string =>
	text
		.split(MERGE_TAG)
		.map((part, at) => (at % 2 === 1 ? keep(part) : change(part)))
		.join('');
