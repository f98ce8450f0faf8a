import { declareEndpoints } from '../../core/endpoint/endpoint.ts'
import { listQuery } from '../../core/shape/shape.ts'
import {
  NoShowMeta,
  NoShowQuery,
  NoShowRow,
  UtilizationFileQuery,
  UtilizationMeta,
  UtilizationQuery,
  UtilizationRow,
  WorkplaceSettings,
  WorkplaceSettingsPatch,
} from './utilization-shapes.ts'

const lattice =
  'Figures that could tell about fewer people than the privacy threshold are null, with `suppressed: true`, and enough others ' +
  'with them that they cannot be computed from the rest.'

/** Figures of the use of buildings. */
export const workplaceUtilization = declareEndpoints('solutions', {
  getUtilization: {
    method: 'GET',
    path: '/v1/solutions/workplace/utilization',
    summary: 'Read how full a space is, or how often a team is in',
    description:
      `One of \`space_id\`, \`team_id\`, \`space_ids\` and \`team_ids\` is required. ${lattice} Where two datasets measure the same space and day, the order is ` +
      'counts, badge events, attendance days, bookings. Peaks of a space are peaks of the sum of what is in it.',
    scope: 'solutions:read',
    query: UtilizationQuery.extend(listQuery({}).shape),
    list: UtilizationRow,
    meta: UtilizationMeta,
    errors: ['unknown_reference'],
    tool: { name: 'get_utilization', hints: { readOnly: true } },
  },
  getUtilizationContent: {
    method: 'GET',
    path: '/v1/solutions/workplace/utilization/content',
    summary: 'Download how full a space is, or how often a team is in',
    description: `The same rows as a file, with the names of spaces and teams. ${lattice}`,
    scope: 'solutions:read',
    query: UtilizationFileQuery,
    response: 'file',
    fileTypes: ['text/csv', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
    errors: ['unknown_reference'],
  },
  listNoShows: {
    method: 'GET',
    path: '/v1/solutions/workplace/no-shows',
    summary: 'Read how many bookings were not used, by space and weekday',
    description: `Without \`space_id\`, of every site. The days asked for are widened to whole months. ${lattice}`,
    scope: 'solutions:read',
    query: NoShowQuery.extend(listQuery({}).shape),
    list: NoShowRow,
    meta: NoShowMeta,
    errors: ['unknown_reference'],
    tool: { name: 'list_no_shows', hints: { readOnly: true } },
  },
  getWorkplaceSettings: {
    method: 'GET',
    path: '/v1/solutions/workplace/settings',
    summary: 'Read the settings of the workplace',
    description: 'Returns the privacy threshold.',
    scope: 'solutions:read',
    ok: WorkplaceSettings,
  },
  updateWorkplaceSettings: {
    method: 'PATCH',
    path: '/v1/solutions/workplace/settings',
    summary: 'Change the settings of the workplace',
    description: 'A change of the threshold counts all days again.',
    scope: 'solutions:write',
    body: WorkplaceSettingsPatch,
    ok: WorkplaceSettings,
    audit: { action: 'workplace_settings.updated', target: 'workspace', field: 'workspace_id' },
  },
})
