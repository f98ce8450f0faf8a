import { type ErrorCode, Problem, problem } from '@wp/contracts'

/** The codes of errors whose details may quote a file. */
const quotingCodes: ReadonlySet<ErrorCode> = new Set([
  'malformed_body',
  'unexpected_format',
  'ambiguous_format',
  'unsupported_media_type',
])

/** Advice in place of a reason that may quote values. */
export const hiddenReason =
  'The reason is not shown, because it may quote values that the data source protects. To see it, preview the file without `data_source_id`'

/**
 * Returns an error of reading a file without what it may quote of the file: the same code with a general detail. The
 * error itself is not kept as the cause, since causes are logged.
 */
export function withoutQuotes(error: unknown): unknown {
  if (!(error instanceof Problem) || !quotingCodes.has(error.code) || 'missing_column' in error.extra) return error
  return problem(error.code, { detail: `The file cannot be read. ${hiddenReason}` })
}
