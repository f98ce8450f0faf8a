/**
 * A text field of what an operation returned: of the view itself, or of the view inside an outcome
 * (`{ outcome, data }`).
 */
export function responseField(result: unknown, field: string): string | undefined {
  return ownString(result, field) ?? ownString(ownProperty(result, 'data'), field)
}

function ownString(value: unknown, field: string): string | undefined {
  const found = ownProperty(value, field)
  return typeof found === 'string' ? found : undefined
}

function ownProperty(value: unknown, field: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  return Object.getOwnPropertyDescriptor(value, field)?.value
}
