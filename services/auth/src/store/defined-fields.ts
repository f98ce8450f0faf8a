type DefinedFields<T> = { [Field in keyof T]?: Exclude<T[Field], undefined> }

/** The fields that are given: those left undefined stay as they are. */
export const definedFields = <T extends object>(changes: T): DefinedFields<T> =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as DefinedFields<T> // only undefined ones were left out
