// `npm run images:check` builds the images of a release with both builders of Docker, starts each of them, runs the
// demo against the fleet of docker-compose.yml, and prints times, sizes and memory. Exits with 1 if anything fails. A
// complete check is recorded in infra/docker/checked-images.json, which belongs into the commit.
import { parseArgs } from 'node:util'
import {
  type Builder,
  type BuiltImage,
  builders,
  buildImage,
  findBuilderProblem,
  readBaseImages,
  requireStart,
} from './images/build-image.ts'
import { checkFleet } from './images/check-fleet.ts'
import { digestInputs, readRecord, writeRecord } from './images/checked-inputs.ts'
import { releaseImages, selectImages } from './images/release-images.ts'
import { runCommand } from './images/run-command.ts'

const usage = `usage:
  npm run images:check                    check all images with both builders; takes 20 to 60 minutes
options:
  --builder <classic|buildkit>            only this builder; repeatable
  --image <name>                          only this image; repeatable; the fleet needs platform and demo
  --if-changed                            do nothing if nothing that the last complete check depends on has changed
  --keep                                  keep the images
  --list-base-images                      print the public images that the check needs, and exit`

const print = (line: string) => void process.stdout.write(`${line}\n`)

async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      builder: { type: 'string', multiple: true, default: [] },
      image: { type: 'string', multiple: true, default: [] },
      'if-changed': { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
      'list-base-images': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) return print(usage)
  if (values['list-base-images']) return print(readBaseImages().join('\n'))
  const record = readRecord()
  if (values['if-changed'] && record?.inputs === digestInputs())
    return print(
      `images: not checked: Dockerfile, compose file, lock file and manifests are those of ${record.checkedAt}`,
    )
  const images = selectImages(values.image)
  const chosen = builders.filter((builder) => values.builder.length === 0 || values.builder.includes(builder))
  if (chosen.length < values.builder.length || chosen.length === 0)
    throw new Error(`builders are ${builders.join(', ')}`)
  const built = new Map<Builder, BuiltImage[]>()
  for (const builder of chosen) {
    const problem = await findBuilderProblem(builder)
    if (problem !== undefined) throw new Error(`the ${builder} builder cannot be used: ${problem}`)
    const ofBuilder: BuiltImage[] = []
    built.set(builder, ofBuilder)
    for (const image of images) ofBuilder.push(await checkImage(image, builder))
    const seconds = ofBuilder.reduce((sum, image) => sum + image.seconds, 0)
    print(`${builder}: ${ofBuilder.length} images built and started in ${(seconds / 60).toFixed(1)} minutes`)
    if (['platform', 'demo'].every((name) => ofBuilder.some((image) => image.name === name)))
      await checkFleet(ofBuilder, builder, print)
    else print(`${builder}: the fleet was not started: it needs the images platform and demo`)
    if (!values.keep) await runCommand(['docker', 'image', 'rm', ...ofBuilder.map(({ tag }) => tag)])
  }
  if (images.length < releaseImages.length || chosen.length < builders.length) return
  writeRecord(new Date(), built)
  print('images: the check was complete and is recorded')
}

async function checkImage(image: (typeof releaseImages)[number], builder: Builder): Promise<BuiltImage> {
  const built = await buildImage(image, builder)
  await requireStart(built.tag)
  const size = `${Math.round(built.bytes / 1024 ** 2)} MiB`
  print(`${builder}: ${image.name.padEnd(18)} ${built.seconds.toFixed(0).padStart(5)} s  ${size.padStart(9)}`)
  return built
}

try {
  await run(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`images: ${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}
