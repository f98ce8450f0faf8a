import type { z } from 'zod'

/** Nulls are found in as many passes at most: a shape may look into a member only when the others are valid. */
const maxPasses = 8

type Issue = z.core.$ZodIssue
type Path = readonly PropertyKey[]

/**
 * Returns the arguments of a tool without the nulls that their shape does not accept, at any depth: many models write
 * null for an argument that they leave out. A null with a meaning of its own stays. The result is not validated.
 */
export function withoutAbsentNulls(shape: z.ZodType, given: unknown): unknown {
  let value = given
  for (let pass = 0; pass < maxPasses; pass += 1) {
    const parsed = shape.safeParse(value)
    if (parsed.success) return value
    const paths = parsed.error.issues.flatMap((issue) => pathsOf(issue, []))
    const next = paths.reduce(withoutNullAt, value)
    if (next === value) return value
    value = next
  }
  return value
}

/** Returns the paths of an issue, also those within the branches of a union. */
const pathsOf = (issue: Issue, parent: Path): Path[] => {
  const path = [...parent, ...issue.path]
  const branches = issue.code === 'invalid_union' ? issue.errors.flat() : []
  return [path, ...branches.flatMap((branch) => pathsOf(branch, path))]
}

/** Returns a copy without the member at a path if it is null; otherwise the value itself. Elements of lists stay. */
function withoutNullAt(value: unknown, path: Path): unknown {
  const [name, ...rest] = path
  if (name === undefined || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const changed = withoutNullAt(value[Number(name)], rest)
    return changed === value[Number(name)] ? value : value.with(Number(name), changed)
  }
  const members: Record<PropertyKey, unknown> = { ...value }
  if (!Object.hasOwn(members, name)) return value
  if (rest.length === 0 && members[name] === null) delete members[name]
  else {
    const changed = withoutNullAt(members[name], rest)
    if (changed === members[name]) return value
    members[name] = changed
  }
  return members
}
