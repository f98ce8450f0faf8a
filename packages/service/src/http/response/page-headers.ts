import { createHash } from 'node:crypto'

const fixed = {
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
 * The headers of a page that we show to people: it loads nothing, runs nothing, sends forms only to us, and no other
 * page may frame it or hold on to its window. Its own `<style>` elements apply, each by its hash
 * (https://www.w3.org/TR/CSP3/#framework-directive-source-list); `style` attributes and scripts do not.
 * @param leadsTo origins to which what we answer to its forms may redirect
 */
export function pageHeaders(html: string, leadsTo: readonly string[] = []): Record<string, string> {
  const styles = [...html.matchAll(/<style>(.*?)<\/style>/gs)].map(([, style = '']) => ` '${hashOf(style)}'`)
  const policy = [
    "default-src 'none'",
    ...(styles.length > 0 ? [`style-src${styles.join('')}`] : []),
    ["form-action 'self'", ...leadsTo].join(' '),
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ]
  return { ...fixed, 'content-security-policy': policy.join('; ') }
}

const hashOf = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`
