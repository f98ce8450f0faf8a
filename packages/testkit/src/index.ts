export { type AccessContext, createAccessContext, type WorkspaceTokens } from './access/access-context.ts'
export type { AccessFixture, AccessFixtures, AccessRequest } from './access/access-fixture.ts'
export { createFinishedScenario, newScenario } from './access/scenarios.ts'
export { allowClient } from './browser/allow-client.ts'
export { type BundledProgram, bundledProgram, runProgram } from './bundled-program.ts'
export * from './certificates/authority.ts'
export { type CollectedSpan, startTraceCollector, type TraceCollector } from './collector/trace-collector.ts'
export { createRecordingLog, openPlatformDatabase } from './databases/platform-database.ts'
export { raiseRateLimits, setTestQuota } from './databases/set-quota.ts'
export { createTestDatabase, type TestDatabase } from './databases/test-database.ts'
export { openWorkerPool } from './databases/worker-pool.ts'
export { type EventuallyOptions, eventually } from './eventually.ts'
export type { EdgeRequestOptions } from './fleet/edge-request.ts'
export {
  buildProcessEnvironment,
  createTemporaryKeys,
  type DatabaseAddresses,
  type FleetSettings,
  hasDatabase,
} from './fleet/environment.ts'
export { type Edge, type Fleet, startFleet } from './fleet/fleet.ts'
export type { FleetOptions } from './fleet/fleet-options.ts'
export { type Member, preload, startMemberProcess } from './fleet/member.ts'
export type { Cell, CellOptions } from './fleet/test-cells.ts'
export { startTestFleet, type TestFleet } from './fleet/test-fleet.ts'
export {
  createTestCaller,
  readResponse,
  startTestService,
  type TestResponse,
  type TestService,
} from './fleet/test-service.ts'
export type { TestWorkspace } from './fleet/test-workspaces.ts'
export { type HttpMisbehaviourName, httpMisbehaviours } from './foreign/http/http-misbehaviours.ts'
export { type MisbehavingHttpServer, startMisbehavingHttpServer } from './foreign/http/misbehaving-http-server.ts'
export { type McpMisbehaviourName, type McpStep, mcpMisbehaviours } from './foreign/mcp/mcp-misbehaviours.ts'
export { type McpMessage, mcpRevisions, startMcpServer, type TestMcpServer } from './foreign/mcp/mcp-server.ts'
export { type ModelMisbehaviourName, modelMisbehaviours } from './foreign/model/model-misbehaviours.ts'
export type { ModelReply } from './foreign/model/model-reply.ts'
export type { ModelRequest } from './foreign/model/model-request.ts'
export { type ModelServer, startModelServer } from './foreign/model/model-server.ts'
export { type ProviderQuirkName, providerQuirks } from './foreign/model/provider-quirks.ts'
export { type MisbehavingSmtpServer, startMisbehavingSmtpServer } from './foreign/smtp/misbehaving-smtp-server.ts'
export { type SmtpMisbehaviourName, smtpMisbehaviours } from './foreign/smtp/smtp-misbehaviours.ts'
export { fetchKafka, findKafkaProblem, type KafkaBroker, startKafkaBroker } from './kafka/kafka-broker.ts'
export {
  type Mailbox,
  type MailboxOptions,
  type ReceivedMail,
  type SmtpRefusal,
  startMailbox,
} from './mailbox/mailbox.ts'
export { createMailboxHandler } from './mailbox/mailbox-handler.ts'
export { fetchOpenSearch, openSearchImage } from './opensearch/distribution.ts'
export { findSearchClusterProblem, type SearchCluster, startSearchCluster } from './opensearch/search-cluster.ts'
export { programEnvironment } from './program-environment.ts'
export type { AcceptMode } from './receiver/connection-listener.ts'
export { type Receiver, type ReceiverOptions, type ReceiverTls, startReceiver } from './receiver/receiver.ts'
export type { ReceivedRequest } from './receiver/request-recorder.ts'
export * from './receiver/responders.ts'
export { readComposeImage } from './servers/compose-image.ts'
export { findEmbeddings, installEmbeddings } from './servers/embeddings/install-embeddings.ts'
export { type Embeddings, embeddingsModel, startEmbeddings } from './servers/embeddings/start-embeddings.ts'
export {
  fetchNatsRelease,
  findNatsServer,
  type Nats,
  type NatsOptions,
  readNatsRelease,
  startNats,
} from './servers/nats.ts'
export { type Postgres, type PostgresOptions, startPostgres } from './servers/postgres.ts'
export { findFreePort, findFreePorts, requireFreePort } from './servers/process/ports.ts'
export { readProcessInfo } from './servers/process/process-info.ts'
export { findGoMcpClient, findPythonClients, installOtherClients } from './servers/programs/clients/other-clients.ts'
export { downloadDebianProgram } from './servers/programs/debian-package.ts'
export { fetchHelm, findHelm } from './servers/programs/helm.ts'
export { findPrometheusProgram } from './servers/programs/prometheus-programs.ts'
export { installRuntimes, runtimePath } from './servers/programs/runtimes.ts'
export { startTestServers, type TestServers } from './servers/start-test-servers.ts'
export { testNats, testPostgres } from './test-servers.ts'
export { untilAborted } from './until-aborted.ts'
