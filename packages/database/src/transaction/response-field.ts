/**
 * Returns a text field of an operation's result: of the result itself or of its `data`, where the operation returns a
 * success status together with the resource.
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
