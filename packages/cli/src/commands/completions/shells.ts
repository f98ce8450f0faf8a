/** Shells with a completion script. */
export const shells = ['bash', 'fish', 'zsh'] as const
export type Shell = (typeof shells)[number]
