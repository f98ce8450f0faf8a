/** Builds an optional flag with a text. */
export const textFlag = (placeholder: string, brief: string) =>
  ({ kind: 'parsed', parse: String, optional: true, placeholder, brief }) as const

/** Builds an optional flag with several texts, separated by commas or given several times. */
export const textsFlag = (placeholder: string, brief: string) =>
  ({ kind: 'parsed', parse: String, optional: true, variadic: ',', placeholder, brief }) as const

/** Builds a flag that is off by default. */
export const switchFlag = (brief: string) => ({ kind: 'boolean', default: false, withNegated: false, brief }) as const

/** Builds the positional parameter of a command that has one. */
export const onePositional = (placeholder: string, brief: string) =>
  ({ kind: 'tuple', parameters: [{ parse: String, placeholder, brief }] }) as const

/** Returns the members that are defined: an optional member of a request is left out, not undefined. */
export const definedMembers = <Members extends Record<string, unknown>>(
  members: Members,
): { [Name in keyof Members]?: Exclude<Members[Name], undefined> } =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Members]?: Exclude<Members[Name], undefined> // only undefined members are left out
  }

/** Flags of every command that calls the platform. */
export interface ConnectionFlags {
  workspace: string | undefined
}

export const connectionFlags = {
  workspace: {
    kind: 'parsed',
    parse: String,
    optional: true,
    placeholder: 'id',
    brief: 'Act in this workspace (default: WP_WORKSPACE, or that of the sign-in)',
  },
} as const
