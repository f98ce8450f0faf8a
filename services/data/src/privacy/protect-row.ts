import type { RowProtection } from './row-protection.ts'

type Value = Readonly<Record<string, unknown>>

/**
 * Returns a row with pseudonyms in place of the values of pseudonymized columns, and without dropped columns.
 * @param onColumn is called with the name and the value of each protected column
 */
export function protectRow(
  value: Record<string, unknown>,
  { treatmentOf, pseudonymOf }: RowProtection,
  { nulls, onColumn }: { nulls?: ReadonlySet<string>; onColumn?: (name: string, value: unknown) => void } = {},
): Record<string, unknown> {
  let protectedMembers: [string, unknown][] | undefined
  for (const name of Object.keys(value)) {
    const treatment = treatmentOf(name)
    if (treatment === undefined) continue
    onColumn?.(name, value[name])
    protectedMembers ??= Object.entries(value)
    if (treatment === 'drop') protectedMembers = protectedMembers.filter(([member]) => member !== name)
    else
      for (const member of protectedMembers)
        if (member[0] === name) member[1] = pseudonymOf(withoutNull(value, name, nulls))
  }
  // Unlike an assignment, `fromEntries` defines a member named `__proto__`.
  return protectedMembers === undefined ? value : Object.fromEntries(protectedMembers)
}

/** Returns the value of a member; null for a text that stands for no value. */
function withoutNull(value: Value, name: string, nulls: ReadonlySet<string> | undefined): unknown {
  const member = value[name]
  return typeof member === 'string' && nulls?.has(member.trim()) ? null : member
}
