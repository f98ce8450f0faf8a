import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readFlag, readOneOf, readText } from '../api/search-params.ts'
import { workspaceRoute } from '../routing/workspace-route.tsx'
import { agentStates } from './agent-states.ts'
import { runStates } from './run-states.ts'

const agentRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'agents/$agentId',
  component: lazyRouteComponent(() => import('./agent-page.tsx'), 'AgentPage'),
})

/** Routes created within the call of `addChildren` would have no types. */
const tabs = [
  createRoute({
    getParentRoute: () => agentRoute,
    path: '/',
    component: lazyRouteComponent(() => import('./agent-playground.tsx'), 'AgentPlayground'),
  }),
  createRoute({
    getParentRoute: () => agentRoute,
    path: 'configuration',
    component: lazyRouteComponent(() => import('./agent-configuration.tsx'), 'AgentConfiguration'),
  }),
  createRoute({
    getParentRoute: () => agentRoute,
    path: 'versions',
    validateSearch: (search) => readText(search, 'cursor'),
    component: lazyRouteComponent(() => import('./agent-versions.tsx'), 'AgentVersions'),
  }),
  createRoute({
    getParentRoute: () => agentRoute,
    path: 'runs',
    validateSearch: (search) => ({ ...readText(search, 'cursor'), ...readOneOf(search, 'status', runStates) }),
    component: lazyRouteComponent(() => import('./agent-runs.tsx'), 'AgentRuns'),
  }),
] as const

export const agentRoutes = [
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'agents',
    validateSearch: (search) => ({
      ...readText(search, 'name', 'blueprint_id', 'cursor'),
      ...readOneOf(search, 'status', agentStates),
    }),
    component: lazyRouteComponent(() => import('./agents-page.tsx'), 'AgentsPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'agents/new',
    validateSearch: (search) => readText(search, 'blueprint'),
    component: lazyRouteComponent(() => import('./new-agent-page.tsx'), 'NewAgentPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'agents/blueprints',
    validateSearch: (search) => ({ ...readText(search, 'name', 'cursor'), ...readFlag(search, 'create') }),
    component: lazyRouteComponent(() => import('./blueprints-page.tsx'), 'BlueprintsPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'agents/blueprints/$blueprintId',
    validateSearch: (search) => readFlag(search, 'edit'),
    component: lazyRouteComponent(() => import('./blueprint-page.tsx'), 'BlueprintPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'agents/runs',
    validateSearch: (search) => ({
      ...readText(search, 'agent_id', 'conversation_id', 'external_id', 'cursor'),
      ...readOneOf(search, 'status', runStates),
    }),
    component: lazyRouteComponent(() => import('./runs-page.tsx'), 'RunsPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'agents/runs/$runId',
    component: lazyRouteComponent(() => import('./run-page.tsx'), 'RunPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'agents/conversations',
    validateSearch: (search) => readText(search, 'agent_id', 'conversation', 'cursor'),
    component: lazyRouteComponent(() => import('./conversations-page.tsx'), 'ConversationsPage'),
  }),
  agentRoute.addChildren(tabs),
] as const
