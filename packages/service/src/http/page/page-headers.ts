import { createHash } from 'node:crypto'

const fixedHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy':
    'accelerometer=(), autoplay=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), microphone=(), midi=(), payment=(), usb=()',
}

/**
 * Returns the security headers of an HTML page: it loads and runs nothing, sends forms only to our origin, and other
 * pages can neither frame it nor keep a reference to its window. Its `<style>` elements apply, each by its hash
 * (https://www.w3.org/TR/CSP3/#framework-directive-source-list); `style` attributes and scripts do not.
 * @param formActionOrigins origins to which the response to a form may redirect
 */
export function pageHeaders(html: string, formActionOrigins: readonly string[] = []): Record<string, string> {
  const styles = [...html.matchAll(/<style>(.*?)<\/style>/gs)].map(([, style = '']) => ` '${hashOf(style)}'`)
  const policy = [
    "default-src 'none'",
    ...(styles.length > 0 ? [`style-src${styles.join('')}`] : []),
    ["form-action 'self'", ...formActionOrigins].join(' '),
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ]
  return { ...fixedHeaders, 'content-security-policy': policy.join('; ') }
}

const hashOf = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`

type Headers = Readonly<Record<string, string>>

/**
 * Returns the headers of a site that was built ahead of time. The content security policy of its pages
 * (https://www.w3.org/TR/CSP3/): everything comes from its own origin, nothing is inline, no other page frames it, and
 * no script can write HTML (Trusted Types).
 *
 * @param pageCache of pages, which name the files of one build
 * @param images further sources of images
 * @returns headers of pages, of assets, whose names contain a hash of their content, and of other files
 */
export function siteHeaders({ pageCache, images = '' }: { pageCache: 'no-cache' | 'no-store'; images?: string }): {
  page: Headers
  asset: Headers
  other: Headers
} {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self'${images}`,
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
  const file = {
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    // of an image that is opened as a page of its own
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
  }
  return {
    page: { ...fixedHeaders, 'content-security-policy': policy, 'cache-control': pageCache },
    asset: { ...file, 'cache-control': 'public, max-age=31536000, immutable' },
    other: { ...file, 'cache-control': 'no-cache' },
  }
}

/**
 * Returns the headers of a page that pages of these origins may show in a frame; the same headers without an origin.
 * Browsers follow `frame-ancestors`: `X-Frame-Options` cannot name origins, so it is left out.
 *
 * @param origins as browsers write them: `https://app.example.com`
 */
export function allowFraming(headers: Headers, origins: readonly string[]): Headers {
  if (origins.length === 0) return headers
  const { 'x-frame-options': _refusal, 'content-security-policy': policy = '', ...others } = headers
  const framed = policy.replace("frame-ancestors 'none'", `frame-ancestors ${origins.join(' ')}`)
  // A page that isolates itself (COEP) loads frames of other origins only if they state this.
  return { ...others, 'content-security-policy': framed, 'cross-origin-resource-policy': 'cross-origin' }
}
