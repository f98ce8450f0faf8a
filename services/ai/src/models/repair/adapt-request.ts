/** A member of the request that some providers refuse, and the same request in other words. */
interface Adaptation {
  member: string
  /** Changes the body. Must keep its meaning. */
  change(body: Record<string, unknown>): void
}

const adaptations: readonly Adaptation[] = [
  {
    // Newer models of OpenAI and Azure know the same limit by another name.
    member: 'max_tokens',
    change(body) {
      body.max_completion_tokens = body.max_tokens
      delete body.max_tokens
    },
  },
  {
    // Without it a provider reports no use, which is then estimated.
    member: 'stream_options',
    change: (body) => void delete body.stream_options,
  },
]

/**
 * Returns a request without the member that a provider refuses, if there is another way to say the same; undefined if
 * there is none: a setting of a user, such as the temperature, is not dropped.
 * @param refusal the message of the provider
 */
export function adaptRequest(body: string | undefined, refusal: string): string | undefined {
  const request: Record<string, unknown> = body === undefined ? {} : JSON.parse(body)
  const found = adaptations.find(
    ({ member }) => request[member] !== undefined && new RegExp(`\\b${member}\\b`).test(refusal),
  )
  if (found === undefined) return undefined
  found.change(request)
  return JSON.stringify(request)
}
