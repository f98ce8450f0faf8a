import type { AgentRun, RedactedPart, WorkspaceCaller } from '@wp/contracts'
import type { Chunk } from '../streams/chunk.ts'

/** A run with all of its content. It lacks `redacted`, so that no operation can return it as it is. */
export type UnredactedRun = Omit<AgentRun, 'redacted'>

type Reader = Pick<WorkspaceCaller, 'scopes'>

/** Returns the parts that are left out of runs and conversations for a caller. */
export const redactedParts = ({ scopes }: Reader): RedactedPart[] =>
  scopes.includes('data:read') ? [] : ['tool_output', 'citations']

/** Returns a run as the caller may read it: output of tools and citations require `data:read`. */
export function redactRun(run: UnredactedRun, caller: Reader): AgentRun {
  const redacted = redactedParts(caller)
  if (redacted.length === 0) return { ...run, redacted }
  const steps = run.steps.map((step) => ({
    ...step,
    output: null,
    error: step.error === null ? null : withoutDetails(step.error),
  }))
  return { ...run, citations: [], steps, redacted }
}

/** Returns an event of a run as the caller may read it; undefined if it is left out. */
export function redactChunk(chunk: Chunk, caller: Reader): Chunk | undefined {
  const redacted = redactedParts(caller)
  if (redacted.length === 0) return chunk
  switch (chunk.type) {
    case 'start':
    case 'finish':
      return { ...chunk, messageMetadata: { ...objectOf(chunk.messageMetadata), redacted } }
    case 'tool-output-available':
      return { ...chunk, output: null }
    case 'tool-output-error':
      return { ...chunk, errorText: withoutDetails(chunk.errorText) }
    case 'data-citation':
      return undefined
    default:
      return chunk
  }
}

/**
 * Errors of tools begin with a text of the platform; what a service or a server reported follows a colon and a space.
 */
const withoutDetails = (error: string): string => error.split(': ', 1)[0] ?? ''

const objectOf = (metadata: unknown): object => (typeof metadata === 'object' && metadata !== null ? metadata : {})
