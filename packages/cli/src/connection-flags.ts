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
