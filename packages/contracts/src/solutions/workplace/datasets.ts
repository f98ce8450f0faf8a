import { z } from 'zod'
import { declareEndpoints } from '../../core/endpoint/endpoint.ts'
import { id } from '../../core/shape/id.ts'
import { listQuery, metadataFilter, text } from '../../core/shape/shape.ts'
import {
  Dataset,
  DatasetPatch,
  DatasetRefresh,
  DatasetValue,
  datasetKinds,
  datasetPath,
  NewDataset,
} from './dataset-shapes.ts'

/** The data that the use of buildings is counted from. */
export const workplaceDatasets = declareEndpoints('solutions', {
  listDatasets: {
    method: 'GET',
    path: '/v1/solutions/workplace/datasets',
    summary: 'List datasets',
    description: 'Lists the datasets of the workspace, newest first.',
    scope: 'solutions:read',
    query: listQuery({
      kind: z.enum(datasetKinds).optional(),
      data_source_id: id('src').optional(),
      external_id: text(200).optional(),
      metadata: metadataFilter(),
    }),
    list: Dataset,
    tool: { name: 'list_datasets', hints: { readOnly: true } },
  },
  createDataset: {
    method: 'POST',
    path: '/v1/solutions/workplace/datasets',
    summary: 'Say what the columns of a data source mean, and start to count',
    description:
      'Requires `data:read` as well. Columns that the source does not have are 400. The rows are read by a refresh, which ' +
      'starts at once and again after each sync or upload of the source, and then reads what has changed.',
    scope: 'solutions:write',
    body: NewDataset,
    created: Dataset,
    location: '/v1/solutions/workplace/datasets/{id}',
    errors: ['unknown_reference', 'missing_scope', 'quota_exceeded'],
    audit: { action: 'dataset.created', target: 'dataset', field: 'id' },
  },
  getDataset: {
    method: 'GET',
    path: '/v1/solutions/workplace/datasets/{id}',
    summary: 'Read a dataset with its counts of rows',
    description: 'Returns how many rows were read and used, and how many were not, by reason.',
    scope: 'solutions:read',
    params: datasetPath,
    ok: Dataset,
    tool: { name: 'get_dataset', hints: { readOnly: true } },
  },
  updateDataset: {
    method: 'PATCH',
    path: '/v1/solutions/workplace/datasets/{id}',
    summary: 'Change a dataset',
    description:
      'A change of a map or of the time zone counts all days again, a change of the mapping also reads all rows again.',
    scope: 'solutions:write',
    params: datasetPath,
    body: DatasetPatch,
    ok: Dataset,
    errors: ['unknown_reference', 'missing_scope'],
    audit: { action: 'dataset.updated', target: 'dataset', field: 'id' },
  },
  deleteDataset: {
    method: 'DELETE',
    path: '/v1/solutions/workplace/datasets/{id}',
    summary: 'Delete a dataset and what was counted from it',
    description: 'The data source stays as it is. A running refresh is cancelled.',
    scope: 'solutions:write',
    params: datasetPath,
    deleted: 'id',
    audit: { action: 'dataset.deleted', target: 'dataset', field: 'id' },
  },
  listDatasetValues: {
    method: 'GET',
    path: '/v1/solutions/workplace/datasets/{id}/values',
    summary: 'List the spaces and teams that a file names, with suggestions for those that are not known',
    description:
      'Lists the values of the columns of spaces and teams with their rows, those with the most rows first. Values of people are never listed.',
    scope: 'solutions:read',
    params: datasetPath,
    query: listQuery({
      role: z.enum(['space', 'team']).optional().describe('The column whose values are listed. Default: both'),
      mapped: z.stringbool().optional().describe('false: only values without a space or team'),
    }),
    list: DatasetValue,
    tool: { name: 'list_dataset_values', hints: { readOnly: true } },
  },
  refreshDataset: {
    method: 'POST',
    path: '/v1/solutions/workplace/datasets/{id}/refresh',
    summary: 'Read the changed rows of a dataset now',
    description: '`full` forgets what was counted and reads all rows again. A refresh that is under way is 409.',
    scope: 'solutions:write',
    params: datasetPath,
    body: z.strictObject({
      full: z
        .boolean()
        .default(false)
        .describe('True reads all rows again; false reads those that changed since the last refresh'),
    }),
    accepted: DatasetRefresh,
    location: '/v1/solutions/workplace/refreshes/{id}',
    errors: ['conflict', 'quota_exceeded'],
    audit: { action: 'dataset.refreshed', target: 'dataset_refresh', field: 'id' },
  },
  getDatasetRefresh: {
    method: 'GET',
    path: '/v1/solutions/workplace/refreshes/{id}',
    summary: 'Read a refresh of a dataset',
    description: 'Poll it until `status` is `finished` or `failed`.',
    scope: 'solutions:read',
    params: z.object({ id: id('dsr') }),
    ok: DatasetRefresh,
  },
})
