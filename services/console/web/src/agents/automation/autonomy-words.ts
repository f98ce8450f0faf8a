import { type Autonomy, autonomyLevels } from '@wp/contracts'

/** The levels of autonomy in words, and what an assistant may do at each without asking. */
export const autonomyWords: Readonly<Record<Autonomy, { label: string; summary: string; may: string; asks: string }>> =
  {
    ask: {
      label: 'Ask',
      summary: 'A person approves every step.',
      may: 'answer',
      asks: 'every use of a tool, reading included',
    },
    guarded: {
      label: 'Guarded',
      summary: 'Reads and plans by itself; asks before it acts outside.',
      may: 'read data, search, make forecasts and scenarios',
      asks: 'anything that may change something in another system',
    },
    autonomous: {
      label: 'Autonomous',
      summary: 'Works by itself; asks before it destroys anything.',
      may: 'read, plan, and change things in connected systems',
      asks: 'deletions, and tools that always need an approval',
    },
  }

/** Returns the levels below another one. */
export const lowerLevels = (level: Autonomy): readonly Autonomy[] =>
  autonomyLevels.slice(0, autonomyLevels.indexOf(level))
