import { type Autonomy, autonomyLevels } from '@wp/contracts'

/**
 * The effect of a tool call, as far as the platform knows it. `harmless`: reads, or creates something in the workspace
 * that replaces nothing and can be deleted. `changing`: may change something outside of the platform. `destructive`:
 * deletes something there, or the integration always asks for it.
 */
export type ToolEffect = 'harmless' | 'changing' | 'destructive'

/** Returns true if a call with this effect waits for the approval of a person. */
export function needsApproval(level: Autonomy, effect: ToolEffect): boolean {
  switch (level) {
    case 'ask':
      return true
    case 'guarded':
      return effect !== 'harmless'
    case 'autonomous':
      return effect === 'destructive'
  }
}

/** The level of a chat without an agent, and of agents that state none. */
export const defaultAutonomy: Autonomy = 'guarded'

/** Returns the lowest of several levels. */
export const lowestAutonomy = (levels: readonly Autonomy[]): Autonomy =>
  autonomyLevels.find((level) => levels.includes(level)) ?? defaultAutonomy

/** Returns true if a level needs fewer approvals than another one. */
export const isHigher = (level: Autonomy, other: Autonomy): boolean =>
  autonomyLevels.indexOf(level) > autonomyLevels.indexOf(other)
