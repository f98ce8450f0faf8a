import { readWebAddress } from '@wp/contracts'

const loopbackHosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Returns true for a host of this machine, as `URL.hostname` spells it. */
export const isLoopbackHost = (hostname: string): boolean => loopbackHosts.has(hostname)

/**
 * Schemes of known editors and assistants, which are no reversed domain names. Any other such scheme may start a
 * program of the system with what follows it (`ms-msdt:`, `smb:`, `ssh:`).
 */
const editorSchemes: ReadonlySet<string> = new Set(
  'claude cursor jetbrains kiro trae vscode vscode-insiders vscodium windsurf zed'
    .split(' ')
    .map((scheme) => `${scheme}:`),
)

/**
 * A reversed domain name such as `com.example.app:` (RFC 8252 section 7.1). It begins with a top-level domain, as
 * `x-apple.systempreferences:` does not, and is none of those by which Windows starts its own programs.
 */
const reversedDomain = /^(?!microsoft\.windows\.)(?:[a-z]{2,63}|xn--[a-z0-9-]+)(?:\.[a-z0-9][a-z0-9-]*)+:$/

/**
 * Returns true if a client may register the redirect URI: https, http on loopback (RFC 8252 section 7.3), or a scheme
 * of an application: a reversed domain name, or that of a known editor. It must be a URL as it stands: browsers repair
 * white space, backslashes and missing slashes, and may go to another host than a program that reads it differently.
 */
export function isAllowedRedirectUri(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || text !== text.trim() || 'fault' in readWebAddress(text)) return false
  if (text.includes('#') || url.username !== '' || url.password !== '') return false
  if (url.protocol === 'https:') return true
  if (url.protocol === 'http:') return isLoopbackHost(url.hostname)
  return editorSchemes.has(url.protocol) || reversedDomain.test(url.protocol)
}

/**
 * Returns true if a requested redirect URI is a registered one: the same text, or on loopback the same but for the
 * port, which an application gets from its system at each start (RFC 8252 section 7.3).
 */
export function matchesRedirectUri(registered: string, requested: string): boolean {
  if (registered === requested) return true
  const [one, other] = [URL.parse(registered), URL.parse(requested)]
  if (one === null || other === null || !isAllowedRedirectUri(requested)) return false
  if (one.protocol !== 'http:' || !isLoopbackHost(one.hostname)) return false
  for (const url of [one, other]) url.port = ''
  return one.href === other.href
}
