import { type ErrorCode, type Problem, problem } from '@wp/contracts'

/** Detail error keyword of RFC 7644 section 3.12. */
type ScimType =
  | 'invalidFilter'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue'

/** Creates an error with its SCIM keyword. */
export const scimError = (scimType: ScimType, detail: string, code: ErrorCode = 'validation_failed'): Problem =>
  problem(code, { detail, extra: { scimType } })
