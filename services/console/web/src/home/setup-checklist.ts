import type { Scope } from '@wp/contracts'

/** The kinds of resources that exist in the workspace, as far as known. */
export interface SetupState {
  hasRecords: boolean
  hasCredential: boolean
  hasWebhook: boolean
  hasForecast: boolean
}

export interface SetupStep {
  key: 'data' | 'credential' | 'webhook' | 'forecast'
  title: string
  description: string
  /** Needed for the step. */
  scope: Scope
  isDone: boolean
}

/** Returns the steps of the set-up, each done as soon as its result exists. */
export const setupSteps = (state: SetupState): readonly SetupStep[] => [
  {
    key: 'data',
    title: 'Add data',
    description: 'Drop a CSV or JSON file. It can be searched at once.',
    scope: 'data:write',
    isDone: state.hasRecords,
  },
  {
    key: 'credential',
    title: 'Create a credential',
    description: 'An API key or a service principal lets your programs call the API.',
    scope: 'auth:keys',
    isDone: state.hasCredential,
  },
  {
    key: 'webhook',
    title: 'Add a webhook',
    description: 'Be told by a signed request when a job has finished.',
    scope: 'webhooks:write',
    isDone: state.hasWebhook,
  },
  {
    key: 'forecast',
    title: 'Run a forecast',
    description: 'See how your offices will fill, with intervals and recommendations.',
    scope: 'solutions:run',
    isDone: state.hasForecast,
  },
]
