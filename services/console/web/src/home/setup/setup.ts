import type { Scope } from '@wp/contracts'

/** The purpose of the workspace for a person. */
export type Purpose = 'buildings' | 'api'

/** The parts that exist in the workspace; undefined while it is not known, or could not be read. */
export interface SetupFacts {
  hasFile: boolean | undefined
  hasCounts: boolean | undefined
  hasForecast: boolean | undefined
  hasKey: boolean | undefined
  hasCall: boolean | undefined
  hasWebhook: boolean | undefined
}

export interface SetupStep {
  key: keyof SetupFacts
  title: string
  description: string
  action: string
  /** Path within the workspace. */
  path: string
  /** Needed for the step. */
  scope: Scope
}

/** The three steps of each purpose. */
export const setupSteps: Readonly<Record<Purpose, readonly SetupStep[]>> = {
  buildings: [
    {
      key: 'hasFile',
      title: 'Add your file',
      description: 'Badge events, bookings or a list of who was there: Excel or CSV, as it is.',
      action: 'Choose a file',
      path: 'data/new',
      scope: 'data:write',
    },
    {
      key: 'hasCounts',
      title: 'See how full you are',
      description: 'Say which column is the person, the place and the time. The rest is counted.',
      action: 'Match the columns',
      path: 'datasets/new',
      scope: 'solutions:write',
    },
    {
      key: 'hasForecast',
      title: 'Look ahead',
      description: 'A forecast of the next weeks, with the day on which you are fullest.',
      action: 'Start a forecast',
      path: 'forecasts/new',
      scope: 'solutions:run',
    },
  ],
  api: [
    {
      key: 'hasKey',
      title: 'Create a key',
      description: 'An API key or a service principal lets your program call the API.',
      action: 'Create a key',
      path: 'developer?create=key',
      scope: 'auth:keys',
    },
    {
      key: 'hasCall',
      title: 'Make the first call',
      description: 'The page of the key has one to copy. This step ticks itself when the key was used.',
      action: 'Open the keys',
      path: 'developer',
      scope: 'auth:keys',
    },
    {
      key: 'hasWebhook',
      title: 'Add a webhook',
      description: 'A signed request tells your program when something has happened.',
      action: 'Add a webhook',
      path: 'webhooks/new',
      scope: 'webhooks:write',
    },
  ],
}

const storageKey = (workspaceId: string) => `console.purpose.${workspaceId}`

/** Returns the answer that this browser stored. */
export function readPurpose(workspaceId: string): Purpose | undefined {
  const stored = localStorage.getItem(storageKey(workspaceId))
  return stored === 'buildings' || stored === 'api' ? stored : undefined
}

/** Stores the answer in this browser; undefined asks again. */
export function storePurpose(workspaceId: string, purpose: Purpose | undefined): void {
  if (purpose === undefined) localStorage.removeItem(storageKey(workspaceId))
  else localStorage.setItem(storageKey(workspaceId), purpose)
}
