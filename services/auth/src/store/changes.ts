type Given<T> = { [Field in keyof T]?: Exclude<T[Field], undefined> }

/** The fields that are given: those left undefined stay as they are. */
export const given = <T extends object>(changes: T): Given<T> =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as Given<T> // only undefined ones were left out
