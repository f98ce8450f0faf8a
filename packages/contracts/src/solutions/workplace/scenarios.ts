import { z } from 'zod'
import { declareEndpoints } from '../../core/endpoint/endpoint.ts'
import { id } from '../../core/shape/id.ts'
import { jobStates, listQuery, metadataFilter, text } from '../../core/shape/shape.ts'
import {
  NewScenario,
  Scenario,
  ScenarioComparison,
  ScenarioDetail,
  ScenarioFileQuery,
  scenarioPath,
} from './scenario-shapes.ts'

const path = '/v1/solutions/workplace/scenarios'

/** What-if plans: which floors are needed on which weekdays, and what closing the others saves. */
export const workplaceScenarios = declareEndpoints('solutions', {
  listScenarios: {
    method: 'GET',
    path,
    summary: 'List scenarios, without results',
    description: 'Lists the scenarios of the workspace, newest first. `summary` has their main figures.',
    scope: 'solutions:read',
    query: listQuery({
      status: z.enum(jobStates).optional(),
      name: text(200).optional().describe('A part of the name, in any case'),
      forecast_run_id: id('fr').optional(),
      external_id: text(200).optional(),
      metadata: metadataFilter(),
    }),
    list: Scenario,
    tool: { name: 'list_scenarios', hints: { readOnly: true } },
  },
  createScenario: {
    method: 'POST',
    path,
    summary: 'Plan which floors are needed, and what closing the others saves',
    description:
      'A scenario changes nothing. It takes the sample paths of a forecast of teams or floors, changes headcount, attendance, capacity ' +
      'and costs, closes floors, and finds who sits where so that everyone has a place on the promised share of days. A team ' +
      'that is too small for figures of its own is placed with those around it. Where no places are found, the result names ' +
      'the conditions that cannot all be met.',
    scope: 'solutions:run',
    callers: ['ai'],
    body: NewScenario,
    accepted: Scenario,
    location: `${path}/{id}`,
    errors: ['unknown_reference', 'conflict', 'quota_exceeded'],
    audit: { action: 'scenario.created', target: 'scenario', field: 'id' },
    tool: {
      name: 'create_scenario',
      polledWith: 'get_scenario',
      description:
        'Plan what-if: which floors are needed on which weekday after changes, who sits where, and what closing the others ' +
        'saves. It changes nothing.\n\nIds: `forecast_run_id` is a run of `list_forecasts` with `status` `finished` and ' +
        '`input.workplace.level` `team`, or `floor` where no teams are known; if there is none, start one with `start_forecast`. Spaces are in `list_spaces` (with ' +
        '`kind` `floor`, `building` or `site`), teams in `list_teams`. Never make up an id.\n\n"Close floor 3 on Fridays with ' +
        '10 % more people" is `{"close_spaces": [{"space_id": "spc_…", "weekdays": ["fri"]}], "headcount": [{"percent": 10}]}` ' +
        'in `changes`. Without `close_spaces` it finds the floors that can close.',
    },
  },
  getScenario: {
    method: 'GET',
    path: `${path}/{id}`,
    summary: 'Read a scenario with its result',
    description:
      'Poll it until `status` is `finished`, `failed` or `cancelled`, every 5 seconds: most scenarios take a few seconds, and ' +
      'none more than about `time_limit_seconds` once it runs. Amounts are in minor units, shares from 0 to 1.',
    scope: 'solutions:read',
    callers: ['ai'],
    params: scenarioPath,
    ok: ScenarioDetail,
    tool: { name: 'get_scenario', hints: { readOnly: true } },
  },
  getScenarioContent: {
    method: 'GET',
    path: `${path}/{id}/content`,
    summary: 'Download a finished scenario',
    description:
      'The report has a page with the conclusion, key figures and charts, then the arithmetic of the saving, the risk, the ' +
      'assumptions and who sits where. The workbook has the same with live formulas for the saving. A scenario that ' +
      'is not feasible has the report alone, with the conditions that cannot all be met; other formats are 409.',
    scope: 'solutions:read',
    params: scenarioPath,
    query: ScenarioFileQuery,
    response: 'file',
    fileTypes: ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'application/pdf', 'text/csv'],
    errors: ['conflict'],
  },
  cancelScenario: {
    method: 'POST',
    path: `${path}/{id}/cancel`,
    summary: 'Cancel a scenario that has not ended',
    description: 'A scenario that has ended cannot be cancelled.',
    scope: 'solutions:run',
    params: scenarioPath,
    ok: Scenario,
    errors: ['conflict'],
    audit: { action: 'scenario.cancelled', target: 'scenario', field: 'id' },
  },
  deleteScenario: {
    method: 'DELETE',
    path: `${path}/{id}`,
    summary: 'Delete a scenario with its result',
    description:
      'A scenario that has not ended is cancelled. Open recommendations that rest on it are deleted; those that were accepted ' +
      'or dismissed stay, without `scenario_id`. A schedule of daily plans that follows it is 409: change or delete that first.',
    scope: 'solutions:write',
    params: scenarioPath,
    deleted: 'id',
    errors: ['conflict'],
    audit: { action: 'scenario.deleted', target: 'scenario', field: 'id' },
  },
  compareScenarios: {
    method: 'GET',
    path: `${path}/{id}/comparison`,
    summary: 'Compare two scenarios',
    description: 'Both must be finished, with places found; otherwise it is 409.',
    scope: 'solutions:read',
    params: scenarioPath,
    query: z.strictObject({ other_id: id('scn').describe('The other scenario') }),
    ok: ScenarioComparison,
    errors: ['unknown_reference', 'conflict'],
    tool: { name: 'compare_scenarios', hints: { readOnly: true } },
  },
})
