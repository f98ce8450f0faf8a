export { assertSuitable, type IntegrationReference, toIntegrationProblem } from './integration-reference.ts'
export { createIntegrationUses, type IntegrationUse } from './integration-uses.ts'
export { reportIntegrationUse } from './report-use.ts'
