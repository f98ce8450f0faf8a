type DefinedFields<T> = { [Field in keyof T]?: Exclude<T[Field], undefined> }

/** Removes undefined fields, so that an update leaves their columns unchanged. */
export function definedFields<T extends object>(changes: T): DefinedFields<T> {
  const defined = Object.entries(changes).filter(([, value]) => value !== undefined)
  return Object.fromEntries(defined) as DefinedFields<T> // only undefined fields were removed
}
