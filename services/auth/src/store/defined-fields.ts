type DefinedFields<T> = { [Field in keyof T]?: Exclude<T[Field], undefined> }

/** Removes undefined fields, so that an update leaves their columns unchanged. */
export const definedFields = <T extends object>(changes: T): DefinedFields<T> =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as DefinedFields<T> // only undefined fields are removed
