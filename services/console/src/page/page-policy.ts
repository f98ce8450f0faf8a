import { pageHeaders } from '@wp/service'

/**
 * The content security policy of the page (https://www.w3.org/TR/CSP3/): everything comes from the platform's own
 * origin, nothing is inline, no other page frames it, and no script can write HTML (Trusted Types).
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

/** The headers of the page. It names the files of one build, so it is never stored. */
export const pageResponseHeaders: Readonly<Record<string, string>> = {
  ...pageHeaders(''),
  'content-security-policy': policy,
  'cache-control': 'no-store',
}

const fileHeaders = {
  'x-content-type-options': 'nosniff',
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
