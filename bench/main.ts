// npm run bench -- <name> [options]: runs one benchmark, prints its results as a table and writes them to bench/results
// as JSON.
import { runCommands } from '@wp/lab/commands'
import { commands } from './src/commands.ts'

await runCommands('npm run bench --', commands, process.argv.slice(2))
