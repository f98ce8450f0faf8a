import { declareEndpoints } from '../core/endpoint/endpoint.ts'
import { listQuery } from '../core/shape/shape.ts'
import { NewTrigger, Trigger, TriggerPatch, triggerPath, triggersPath } from './trigger-shapes.ts'

const path = '/v1/agents/agents/{agent_id}/triggers'

/** Triggers start runs of an agent by themselves: at times, or at events. */
export const agentTriggers = declareEndpoints('agents', {
  listTriggers: {
    method: 'GET',
    path,
    summary: 'List the triggers of an agent',
    description: 'Lists the triggers, newest first, with their last run and the last occasion that started none.',
    scope: 'agents:read',
    params: triggersPath,
    query: listQuery({}),
    list: Trigger,
  },
  createTrigger: {
    method: 'POST',
    path,
    summary: 'Have an agent run at times, or at events',
    description:
      'Each occasion starts exactly one run, also after crashes and when an event is delivered again. Its runs act for the ' +
      'principal that made it; the scope `agents:run` is required too. An event that a run has caused starts further runs ' +
      'three times in a row at most.',
    scope: 'agents:write',
    params: triggersPath,
    body: NewTrigger,
    created: Trigger,
    location: `${path}/{id}`,
    errors: ['agent_archived', 'quota_exceeded'],
    audit: { action: 'trigger.created', target: 'trigger', field: 'id' },
  },
  getTrigger: {
    method: 'GET',
    path: `${path}/{id}`,
    summary: 'Read a trigger',
    description:
      'Returns the occasion, the input and the budget, and when it last started a run. Its runs have its `trigger_id`.',
    scope: 'agents:read',
    params: triggerPath,
    ok: Trigger,
  },
  updateTrigger: {
    method: 'PATCH',
    path: `${path}/{id}`,
    summary: 'Change a trigger',
    description: 'From then on its runs act for the principal that changed it; the scope `agents:run` is required too.',
    scope: 'agents:write',
    params: triggerPath,
    body: TriggerPatch,
    ok: Trigger,
    errors: ['agent_archived'],
    audit: { action: 'trigger.updated', target: 'trigger', field: 'id' },
  },
  runTrigger: {
    method: 'POST',
    path: `${path}/{id}/run`,
    summary: 'Start a run of a trigger now',
    description:
      'Starts a run with its input, in its budget and for the principal that it acts for, whether or not it is enabled. ' +
      'The response has it as `last_run_id`. Its next times stay. A run of a trigger at events has no event.',
    scope: 'agents:run',
    params: triggerPath,
    ok: Trigger,
    errors: ['agent_archived', 'quota_exceeded'],
    audit: { action: 'trigger.run', target: 'trigger', field: 'id' },
  },
  deleteTrigger: {
    method: 'DELETE',
    path: `${path}/{id}`,
    summary: 'Delete a trigger',
    description: 'Runs that it has started go on.',
    scope: 'agents:write',
    params: triggerPath,
    deleted: 'id',
    audit: { action: 'trigger.deleted', target: 'trigger', field: 'id' },
  },
})
