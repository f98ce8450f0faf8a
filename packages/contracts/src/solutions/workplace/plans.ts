import { z } from 'zod'
import { declareEndpoints } from '../../core/endpoint/endpoint.ts'
import { id } from '../../core/shape/id.ts'
import { listQuery, metadataFilter } from '../../core/shape/shape.ts'
import {
  NewPlanSchedule,
  PlanSchedule,
  PlanSchedulePatch,
  planPath,
  planSchedulePath,
  WorkplacePlan,
  WorkplacePlanDetail,
} from './plan-shapes.ts'

const schedules = '/v1/solutions/workplace/plan-schedules'
const plans = '/v1/solutions/workplace/plans'

const localDay = z.iso.date().refine((text) => !text.startsWith('0000'), 'must not be in the year 0')

/** Daily plans of sites and buildings: people, meals, cleaning, heating, ventilation and floors to keep closed. */
export const workplacePlans = declareEndpoints('solutions', {
  listPlanSchedules: {
    method: 'GET',
    path: schedules,
    summary: 'List the schedules of daily plans',
    description: 'Lists the schedules of the workspace, newest first.',
    scope: 'solutions:read',
    query: listQuery({ space_id: id('spc').optional(), metadata: metadataFilter() }),
    list: PlanSchedule,
  },
  createPlanSchedule: {
    method: 'POST',
    path: schedules,
    summary: 'Plan a site or building every day',
    description:
      'One plan is made on each of the weekdays, at a local time of the space. Each plan leaves as the event ' +
      '`WORKPLACE_PLAN_CREATED`; members and Slack channels get it as their notification settings of the category `plans` say.',
    scope: 'solutions:write',
    body: NewPlanSchedule,
    created: PlanSchedule,
    location: `${schedules}/{id}`,
    errors: ['unknown_reference', 'conflict', 'quota_exceeded'],
    audit: { action: 'plan_schedule.created', target: 'plan_schedule', field: 'id' },
  },
  getPlanSchedule: {
    method: 'GET',
    path: `${schedules}/{id}`,
    summary: 'Read a schedule of daily plans',
    description: 'Returns when plans are made, and what their arithmetic uses.',
    scope: 'solutions:read',
    params: planSchedulePath,
    volatile: ['next_run_at'],
    ok: PlanSchedule,
  },
  updatePlanSchedule: {
    method: 'PATCH',
    path: `${schedules}/{id}`,
    summary: 'Change a schedule of daily plans',
    description: 'Changes concern the plans of the days to come. A day that has a plan gets no other one.',
    scope: 'solutions:write',
    params: planSchedulePath,
    body: PlanSchedulePatch,
    volatile: ['next_run_at'],
    ok: PlanSchedule,
    errors: ['unknown_reference'],
    audit: { action: 'plan_schedule.updated', target: 'plan_schedule', field: 'id' },
  },
  deletePlanSchedule: {
    method: 'DELETE',
    path: `${schedules}/{id}`,
    summary: 'Delete a schedule of daily plans',
    description: 'Plans that were made stay; no more are made by themselves.',
    scope: 'solutions:write',
    params: planSchedulePath,
    deleted: 'id',
    audit: { action: 'plan_schedule.deleted', target: 'plan_schedule', field: 'id' },
  },
  runPlanSchedule: {
    method: 'POST',
    path: `${schedules}/{id}/run`,
    summary: 'Make the plan of a day now',
    description:
      'Plans today, or one of the next seven days. Returns the plan of the day if there is one: a space has one plan a ' +
      'day, however it was started.',
    scope: 'solutions:run',
    params: planSchedulePath,
    query: z.strictObject({ date: localDay.optional().describe('Local day of the space; default: today') }),
    ok: WorkplacePlanDetail,
    errors: ['conflict'],
    audit: { action: 'plan.requested', target: 'plan', field: 'id' },
  },
  listPlans: {
    method: 'GET',
    path: plans,
    summary: 'List the daily plans of sites and buildings',
    description: 'Lists plans with their headlines, newest first. Read a plan for its floors.',
    scope: 'solutions:read',
    query: listQuery({
      space_id: id('spc').optional(),
      since: localDay.optional().describe('First local day'),
      until: localDay.optional().describe('The local day after the last one'),
    }),
    list: WorkplacePlan,
    tool: { name: 'list_plans', hints: { readOnly: true } },
  },
  getPlan: {
    method: 'GET',
    path: `${plans}/{id}`,
    summary: 'Read a daily plan, with how the one before it did',
    description:
      'Returns the expected people by floor and hour, what to do about them, and beside it the plan before with the people who ' +
      'came. Figures of people that are withheld elsewhere are withheld here.',
    scope: 'solutions:read',
    params: planPath,
    ok: WorkplacePlanDetail,
    tool: { name: 'get_plan', hints: { readOnly: true } },
  },
})
