import { pageHeaders } from '@wp/service'

/**
 * The content security policy of the documentation (https://www.w3.org/TR/CSP3/): everything comes from this origin,
 * nothing is inline, no other page frames it, and no script can write HTML (Trusted Types).
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

/** The headers of a page. It is revalidated, because it names the files of one build. */
export const docsPageHeaders: Readonly<Record<string, string>> = {
  ...pageHeaders(''),
  'content-security-policy': policy,
  'cache-control': 'no-cache',
}

const fileHeaders = {
  'cross-origin-resource-policy': 'same-origin',
  // of an image that is opened as a page of its own
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
}

/** The headers of a file whose name contains a hash of its content. */
export const assetHeaders: Readonly<Record<string, string>> = {
  ...fileHeaders,
  'cache-control': 'public, max-age=31536000, immutable',
}

/** The headers of a file whose content may change. */
export const otherFileHeaders: Readonly<Record<string, string>> = { ...fileHeaders, 'cache-control': 'no-cache' }
