import {
  bodyPointer,
  type EndpointDefinition,
  type FieldError,
  type RequestOf,
  type ToolDefinition,
  validateInput,
  validationProblem,
  withoutAbsentNulls,
} from '@wp/contracts'

type Arguments = Readonly<Record<string, unknown>>

/**
 * Divides the arguments of a tool into the path parameters, the query and the body of its endpoint. Values are
 * validated by the service that serves the endpoint, as those of any request; here only what such a request could not
 * express. A null for an argument that does not accept it is absent.
 * @throws Problem `validation_failed`, with pointers into the arguments
 */
export function splitArguments(
  definition: EndpointDefinition,
  { fixed = {} }: ToolDefinition,
  given: Arguments,
): RequestOf<EndpointDefinition> {
  const { params, query, body } = definition
  const errors = Object.keys(given).flatMap((name) => (Object.hasOwn(fixed, name) ? [unknownArgument(name)] : []))
  const values = { ...given, ...fixed }
  const path = pick(values, (name) => hasField(params, name))
  const parameters = withoutNulls(pick(values, (name) => hasField(query, name)))
  const rest = pick(values, (name) => !hasField(params, name) && !hasField(query, name))
  if (params !== undefined) {
    const checked = validateInput(params, path)
    if (!checked.success) errors.push(...checked.errors)
  }
  errors.push(...Object.entries(parameters).flatMap(([name, value]) => parameterErrors(name, value)))
  if (body === undefined) errors.push(...Object.keys(rest).map(unknownArgument))
  if (errors.length > 0) throw validationProblem(errors)
  // The path was validated; the service parses the query and the body.
  return {
    params: path,
    query: parameters,
    body: body === undefined ? undefined : withoutAbsentNulls(body, rest),
  } as RequestOf<EndpointDefinition>
}

/** A query cannot express null, so it is absent there, also as the value of a pair. */
const withoutNulls = (values: Arguments): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      if (value === null) return []
      return [[name, isPairs(value) ? withoutNulls(value) : value]]
    }),
  )

const isPairs = (value: unknown): value is Arguments => typeof value === 'object' && !Array.isArray(value)

const hasField = (shape: EndpointDefinition['params'], name: string): boolean =>
  shape !== undefined && Object.hasOwn(shape.shape, name)

const pick = (values: Arguments, accepts: (name: string) => boolean): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([name]) => accepts(name)))

const unknownArgument = (name: string): FieldError => ({
  pointer: bodyPointer([name]),
  detail: 'is not an argument of this tool',
})

/** A query has text only: numbers and booleans are written as text, and an object as pairs. */
function parameterErrors(name: string, value: unknown): FieldError[] {
  if (isScalar(value)) return []
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return [
      { pointer: bodyPointer([name]), detail: 'must be a string, a number, true or false; leave it out for none' },
    ]
  return Object.entries(value).flatMap(([member, inner]) =>
    isScalar(inner) ? [] : [{ pointer: bodyPointer([name, member]), detail: 'must be a string' }],
  )
}

const isScalar = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value)
