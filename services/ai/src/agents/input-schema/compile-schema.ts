import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { z } from 'zod'

/** The formats that are checked. Any other `format` is an annotation. */
const formats: Readonly<Record<string, (text: string) => boolean>> = {
  'date-time': matches(z.iso.datetime({ offset: true })),
  date: matches(z.iso.date()),
  time: matches(z.iso.time()),
  email: matches(z.email()),
  uri: (text) => URL.canParse(text),
  uuid: matches(z.uuid()),
  ipv4: matches(z.ipv4()),
  ipv6: matches(z.ipv6()),
}

/** Compiles a schema that `checkInputSchema` has accepted. @throws Error if it cannot be compiled */
export function compileSchema(schema: Readonly<Record<string, unknown>>): ValidateFunction {
  const ajv = new Ajv2020({
    ...{ meta: false, validateSchema: false, addUsedSchema: false },
    // Our own walk has refused unknown keywords; the rest of the strict mode is about style.
    ...{ strict: false, logger: false, formats: { ...formats } },
    // Of a schema that inherits nothing, `toString` is no property.
    ownProperties: true,
    // All errors of a large input could take all memory.
    allErrors: false,
    // References are inlined at most once, so that code grows with the schema only.
    inlineRefs: false,
    // An error contains the value, for its description.
    verbose: true,
  })
  // That of Ajv compares every pair of elements.
  ajv.removeKeyword('uniqueItems')
  ajv.addKeyword({
    ...{ keyword: 'uniqueItems', type: 'array', schemaType: 'boolean', errors: false },
    validate: (isUnique: boolean, elements: unknown[]) =>
      !isUnique || new Set(elements.map(canonicalJson)).size === elements.length,
  })
  const { $schema: _dialect, ...content } = schema
  return ajv.compile(content)
}

export type { ErrorObject }

function matches(schema: z.ZodType): (text: string) => boolean {
  return (text) => text.length <= maxFormatLength && schema.safeParse(text).success
}

/** Characters of a text with a format; longer texts match none. */
const maxFormatLength = 2_000

/** Returns a text that is the same for equal JSON values: with the members of objects in order. */
const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  )
