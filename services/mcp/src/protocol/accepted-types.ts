/** The media types of a response, as the protocol requires a client to accept them. */
const accepted = 'application/json, text/event-stream'

/**
 * Returns the value of `Accept` for the protocol library, which rejects a request that does not name both media types
 * of a response. No field, or a range that includes both, accepts everything (RFC 9110, section 12.5.1).
 */
export function acceptedTypes(accept: string | undefined): string {
  if (accept === undefined || accept.trim() === '') return accepted
  const ranges = accept.split(',').map(parseRange)
  const accepts = (type: string) => {
    const group = `${type.slice(0, type.indexOf('/'))}/*`
    // The most specific range decides.
    const range = [type, group, '*/*'].map((name) => ranges.find((one) => one.name === name)).find(Boolean)
    return range?.isAccepted === true
  }
  return ['application/json', 'text/event-stream'].every(accepts) ? accepted : ''
}

function parseRange(text: string): { name: string; isAccepted: boolean } {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  return { name, isAccepted: !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter)) }
}
