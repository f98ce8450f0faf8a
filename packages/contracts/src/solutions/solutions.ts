import { z } from 'zod'
import { declareEndpoints } from '../core/endpoint/endpoint.ts'
import { quotaUsageEndpoint } from '../core/quota/quota-usage.ts'
import { id } from '../core/shape/id.ts'
import { readerLocale } from '../core/shape/locale.ts'
import { jobStates, listQuery, metadataFilter, text } from '../core/shape/shape.ts'
import { ForecastAccuracy } from './accuracy-shapes.ts'
import { NewForecastRun } from './new-forecast-run.ts'
import { Recommendation, recommendationKinds, recommendationStates } from './recommendation-shapes.ts'
import { ForecastHistory, ForecastRun, ForecastRunDetail, forecastRunPath } from './shapes.ts'
import { workplaceDatasets } from './workplace/datasets.ts'
import { workplacePlans } from './workplace/plans.ts'
import { workplaceScenarios } from './workplace/scenarios.ts'
import { workplaceSpaces } from './workplace/spaces.ts'
import { workplaceUtilization } from './workplace/utilization.ts'

/** Packaged workflows: how full offices are, forecasts of it, and recommendations from them. */
export const solutions = declareEndpoints('solutions', {
  ...workplaceSpaces,
  ...workplaceDatasets,
  ...workplaceUtilization,
  ...workplaceScenarios,
  ...workplacePlans,
  listSolutions: {
    method: 'GET',
    path: '/v1/solutions/solutions',
    summary: 'List the packaged workflows',
    description: 'Lists what the platform offers beyond single endpoints, each with the endpoints it consists of.',
    scope: 'solutions:read',
    query: listQuery({}),
    list: z
      .object({
        id: z.string().describe('Name of the workflow, which stays the same'),
        name: z.string().describe('Name for people'),
        description: z.string().describe('What the workflow is for'),
        endpoints: z.array(z.string()).describe('Method and path of each endpoint of the workflow'),
      })
      .meta({ id: 'Solution' }),
  },
  listForecastRuns: {
    method: 'GET',
    path: '/v1/solutions/workplace/forecast/runs',
    summary: 'List forecast runs, without results',
    description: 'Lists the runs of the workspace, newest first. Read a run for its series.',
    scope: 'solutions:read',
    query: listQuery({
      status: z.enum(jobStates).optional(),
      data_source_id: id('src').optional(),
      external_id: text(200).optional(),
      metadata: metadataFilter(),
    }),
    callers: ['ai'],
    list: ForecastRun,
    tool: { name: 'list_forecasts', hints: { readOnly: true } },
  },
  startForecastRun: {
    method: 'POST',
    path: '/v1/solutions/workplace/forecast/runs',
    summary: 'Start a forecast of a data source, of inline series or of the workplace',
    description:
      'A forecast of a data source also requires `data:read`. Columns that the source does not have are 400. What only its ' +
      'rows show, such as times that cannot be read, fails the run: `error.code` is one of the codes of `JobError`. Rows ' +
      'that cannot be used are counted in `data_quality` and named in `warnings`; below `min_usable_share` the run fails. A ' +
      'forecast of the workplace is of spaces or teams, whose levels add up; those that would tell about too few people are ' +
      'in `left_out`.',
    scope: 'solutions:run',
    callers: ['ai'],
    tool: { name: 'start_forecast', polledWith: 'get_forecast' },
    body: NewForecastRun,
    accepted: ForecastRun,
    location: '/v1/solutions/workplace/forecast/runs/{id}',
    errors: ['unknown_reference', 'series_too_short', 'missing_scope', 'quota_exceeded'],
    audit: { action: 'forecast_run.started', target: 'forecast_run', field: 'id' },
  },
  getForecastRun: {
    method: 'GET',
    path: '/v1/solutions/workplace/forecast/runs/{id}',
    summary: 'Read a forecast run with its points and prediction intervals',
    description:
      'Poll it until `status` is `finished` or `failed`. Each series has its points with prediction intervals, the selected model, its accuracy against a baseline, and warnings about the data.',
    scope: 'solutions:read',
    callers: ['ai'],
    tool: { name: 'get_forecast', hints: { readOnly: true } },
    params: forecastRunPath,
    ok: ForecastRunDetail,
  },
  getForecastHistory: {
    method: 'GET',
    path: '/v1/solutions/workplace/forecast/runs/{id}/history',
    summary: 'Read the steps before a forecast',
    description:
      'The values that the forecast rests on, at its frequency: twice the horizon, at least 336 hours, 91 days or 52 weeks, ' +
      'and fewer where a run has so many series that they would exceed 50,000 in total. Of the workplace, the days as they are counted now. Of a data ' +
      'source, it also requires `data:read`. A run that is not finished is 409.',
    scope: 'solutions:read',
    params: forecastRunPath,
    ok: ForecastHistory,
    errors: ['conflict', 'missing_scope'],
  },
  getForecastContent: {
    method: 'GET',
    path: '/v1/solutions/workplace/forecast/runs/{id}/content',
    summary: 'Download the points of a finished forecast run',
    description:
      '`csv` (RFC 4180, UTF-8) has one row for each point: a column for each field of the key, `ts`, `mean`, and a pair ' +
      '`lower_<level>`, `upper_<level>` for each requested level. A field with the name of one of these columns gets the ' +
      'prefix `key_`. Text that a spreadsheet would read as a formula begins with an apostrophe. With `locale` ' +
      'the columns have words for names, and times are those of the time zone of the run. `json` is an array of ' +
      '`{key, points}`. A run that is not finished is 409.',
    scope: 'solutions:read',
    params: forecastRunPath,
    query: z.strictObject({
      format: z.enum(['csv', 'json']).default('csv').describe('Format of the file'),
      locale: readerLocale(),
    }),
    response: 'file',
    fileTypes: ['text/csv', 'application/json'],
    errors: ['conflict'],
  },
  getForecastAccuracy: {
    method: 'GET',
    path: '/v1/solutions/workplace/forecast/runs/{id}/accuracy',
    summary: 'Compare a forecast run with the values that its data source has now',
    description:
      'Reads the data source as the caller, which also requires `data:read`. `steps` is 0 while the source has no value of ' +
      'a forecast step. A run that is not finished, or not of a data source, is 409, and so is a source with fewer usable rows ' +
      'than `min_usable_share`.',
    scope: 'solutions:read',
    params: forecastRunPath,
    limitClass: 'long',
    cancellable: true,
    ok: ForecastAccuracy,
    errors: ['conflict', 'missing_scope'],
  },
  cancelForecastRun: {
    method: 'POST',
    path: '/v1/solutions/workplace/forecast/runs/{id}/cancel',
    summary: 'Cancel a forecast run that has not ended',
    description: 'A run that has ended cannot be cancelled.',
    scope: 'solutions:run',
    params: forecastRunPath,
    ok: ForecastRun,
    errors: ['conflict'],
    audit: { action: 'forecast_run.cancelled', target: 'forecast_run', field: 'id' },
  },
  deleteForecastRun: {
    method: 'DELETE',
    path: '/v1/solutions/workplace/forecast/runs/{id}',
    summary: 'Delete a forecast run with its result',
    description:
      'A run that has not ended is cancelled. Open recommendations that no later run found again are deleted; those that ' +
      'were accepted or dismissed stay. Finished scenarios of the run stay; no more can be made of it.',
    scope: 'solutions:write',
    params: forecastRunPath,
    deleted: 'id',
    audit: { action: 'forecast_run.deleted', target: 'forecast_run', field: 'id' },
  },
  listRecommendations: {
    method: 'GET',
    path: '/v1/solutions/workplace/recommendations',
    summary: 'List recommendations',
    description:
      'A recommendation is made once: later runs of the same group refresh it while it is open. With `forecast_run_id`: those ' +
      'that the run made or found again. None is made from a series with rows that could not be used.',
    scope: 'solutions:read',
    tool: { name: 'list_recommendations', hints: { readOnly: true } },
    query: listQuery({
      status: z.enum(recommendationStates).optional(),
      kind: z.enum(recommendationKinds).optional(),
      forecast_run_id: id('fr').optional(),
    }),
    list: Recommendation,
  },
  getRecommendation: {
    method: 'GET',
    path: '/v1/solutions/workplace/recommendations/{id}',
    summary: 'Read a recommendation',
    description: 'Returns what is recommended, for which part of the data, and from which forecast run it follows.',
    scope: 'solutions:read',
    params: z.object({ id: id('rcm') }),
    ok: Recommendation,
  },
  updateRecommendation: {
    method: 'PATCH',
    path: '/v1/solutions/workplace/recommendations/{id}',
    summary: 'Accept or dismiss a recommendation',
    description: 'Sets `status` to `accepted` or `dismissed`. It records the decision and carries nothing out.',
    scope: 'solutions:run',
    params: z.object({ id: id('rcm') }),
    body: z.strictObject({
      status: z.enum(['accepted', 'dismissed']).describe('Your decision; an accepted recommendation is followed up'),
    }),
    ok: Recommendation,
    audit: { action: 'recommendation.updated', target: 'recommendation', field: 'id' },
  },
})

/** Endpoints of solutions for other services. */
export const solutionsInternal = { readQuotaUsage: quotaUsageEndpoint('solutions', 'solutions') }
