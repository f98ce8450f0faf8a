/** A rule for the address of an endpoint. */
export interface EndpointCheck {
  label: string
  state: 'met' | 'unmet' | 'open'
}

const allowedPorts = (port: string): boolean => port === '' || port === '8443' || Number(port) >= 1024

/**
 * Checks an address while it is typed, as far as a browser can: the platform also resolves its name, and decides.
 * @returns every rule as `open` while there is no text
 */
export function checkEndpoint(text: string): EndpointCheck[] {
  const url = URL.parse(text.trim())
  const state = (isMet: (url: URL) => boolean): EndpointCheck['state'] => {
    if (text.trim() === '') return 'open'
    return url !== null && isMet(url) ? 'met' : 'unmet'
  }
  return [
    { label: 'A complete address that begins with https://', state: state(({ protocol }) => protocol === 'https:') },
    {
      label: 'No user name or password in the address: send them in a header',
      state: state(({ username, password }) => username === '' && password === ''),
    },
    { label: 'Port 443, or 1024 and above', state: state(({ port }) => allowedPorts(port)) },
  ]
}

/** Returns true if an endpoint moves to another origin, where its stored credentials must not be sent. */
export function isNewOrigin(before: string | null, after: string): boolean {
  const [from, to] = [before === null ? null : URL.parse(before), URL.parse(after.trim())]
  return from !== null && to !== null && from.origin !== to.origin
}
