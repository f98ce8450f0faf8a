type DefinedFields<T> = { [Field in keyof T]?: Exclude<T[Field], undefined> }

/** Removes undefined fields, so that an update leaves their columns unchanged and a condition does not name them. */
export function definedFields<T extends object>(fields: T): DefinedFields<T> {
  const defined = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(defined) as DefinedFields<T> // only undefined fields were removed
}
