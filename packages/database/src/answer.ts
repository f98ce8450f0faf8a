/**
 * A text field of what an operation returned: of the view itself, or of the view inside an outcome
 * (`{ outcome, data }`).
 */
export function fieldOf(result: unknown, field: string): string | undefined {
  return ownText(result, field) ?? ownText(own(result, 'data'), field)
}

function ownText(value: unknown, field: string): string | undefined {
  const found = own(value, field)
  return typeof found === 'string' ? found : undefined
}

function own(value: unknown, field: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  return Object.getOwnPropertyDescriptor(value, field)?.value
}
