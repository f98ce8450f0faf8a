import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { testAuthority } from '../certificates/authority.ts'
import { findFreePorts } from '../servers/process/ports.ts'
import { createScratchFolder, removeScratch, sweepScratch } from '../servers/process/scratch.ts'
import { startServerProcess } from '../servers/process/server-process.ts'
import { classArchive } from '../servers/programs/class-archive.ts'
import { programCache } from '../servers/programs/program-cache.ts'

const version = '4.0.0'
const scramMechanisms = ['SCRAM-SHA-256', 'SCRAM-SHA-512']
const libraries = () => join(programCache(), `kafka-${version}`)

/** Returns the reason why no broker can be started here; undefined if one can. */
export const findKafkaProblem = (): string | undefined =>
  existsSync(libraries()) ? undefined : '`npm run kafka` has not stored Apache Kafka'

/**
 * Stores the libraries of Apache Kafka in the cache, 40 MB, from a Maven repository. Needs Maven and a Java runtime.
 * @returns the folder
 */
export async function fetchKafka(): Promise<string> {
  if (existsSync(libraries())) return libraries()
  mkdirSync(programCache(), { recursive: true })
  const work = mkdtempSync(join(programCache(), 'fetching-'))
  try {
    const properties = [`-Dkafka.version=${version}`, '-DincludeScope=runtime', `-DoutputDirectory=${work}`]
    const pom = join(import.meta.dirname, 'pom.xml')
    const args = ['-q', '-B', '-f', pom, 'dependency:copy-dependencies', ...properties]
    await promisify(execFile)('mvn', args, { cwd: work, timeout: 600_000 })
    renameSync(work, libraries())
    return libraries()
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** A broker of Apache Kafka on loopback. */
export interface KafkaBroker {
  /** Listener with TLS, a certificate of the authority of the test, and SASL PLAIN, SCRAM-SHA-256 and SCRAM-SHA-512. */
  secure: string
  username: string
  password: string
  /** Listener without either, for the test itself. */
  plain: string
  stop(): Promise<void>
}

/** Starts a broker, which takes some seconds. @throws Error if its libraries are not stored, or Java is missing */
export async function startKafkaBroker(): Promise<KafkaBroker> {
  sweepScratch()
  const home = createScratchFolder('kafka')
  const firstPort = await findFreePorts(3)
  const [secure, plain, controller] = [firstPort, firstPort + 1, firstPort + 2].map((port) => `127.0.0.1:${port}`)
  const [username, password] = ['shipper', 'a-password-of-the-user']
  const { certificate, key } = testAuthority().issue({ names: ['localhost', '127.0.0.1'] })
  writeFileSync(join(home, 'keystore.pem'), `${key}\n${certificate}\n${testAuthority().certificate}`)
  const settings = [
    'process.roles=broker,controller',
    'node.id=1',
    `controller.quorum.voters=1@${controller}`,
    `listeners=SASL_SSL://${secure},PLAINTEXT://${plain},CONTROLLER://${controller}`,
    `advertised.listeners=SASL_SSL://${secure},PLAINTEXT://${plain}`,
    'inter.broker.listener.name=PLAINTEXT',
    'controller.listener.names=CONTROLLER',
    'listener.security.protocol.map=SASL_SSL:SASL_SSL,PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
    'ssl.keystore.type=PEM',
    `ssl.keystore.location=${join(home, 'keystore.pem')}`,
    'sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-256,SCRAM-SHA-512',
    `listener.name.sasl_ssl.plain.sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required user_${username}="${password}";`,
    ...scramMechanisms.map(
      (name) =>
        `listener.name.sasl_ssl.${name.toLowerCase()}.sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required;`,
    ),
    `log.dirs=${join(home, 'data')}`,
    'offsets.topic.replication.factor=1',
  ]
  const file = join(home, 'server.properties')
  writeFileSync(file, settings.join('\n'))
  // A broker that runs for seconds does not earn back the time in which its code is optimized.
  const flags = ['-Xmx256m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1']
  const java = (...args: string[]) => [...flags, '-cp', join(libraries(), '*'), ...args]
  const archive = classArchive(basename(libraries()), home)
  const users = scramMechanisms.flatMap((name) => ['-S', `${name}=[name=${username},password=${password}]`])
  const format = ['kafka.tools.StorageTool', 'format', '-t', 'AAAAAAAAAAAAAAAAAAAAAA', '-c', file, ...users]
  await promisify(execFile)('java', java(...format), { timeout: 120_000 })
  const args = [...archive.options, ...java('kafka.Kafka', file)]
  const server = await startServerProcess(home, { file: 'java', args }, 'SIGKILL')
  await server.waitUntilReady(() => accepts(Number(plain?.split(':')[1])), 120_000)
  return {
    secure: secure ?? '',
    plain: plain ?? '',
    username,
    password,
    async stop() {
      await server.terminate(archive.stopSignal)
      archive.save()
      removeScratch(home)
    },
  }
}

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
