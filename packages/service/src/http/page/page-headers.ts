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
