// Drives an engine with Sabaki's own controller and state tracker, the way Sabaki uses them.
// node drive.js SCENARIO PROGRAM ARGUMENT...; the packages are found in NODE_PATH.

const assert = require('assert')
const {Controller, ControllerStateTracker, Command} = require('@sabaki/gtp')

const POINT = /^[A-HJ-T]\d+$/
const play = (color, vertex) => ({name: 'play', args: [color, vertex]})

function attach([program, ...args]) {
  const controller = new Controller(program, args)
  const tracker = new ControllerStateTracker(controller)
  const errors = []
  controller.on('stderr', ({content}) => errors.push(content))
  const ask = async (line, subscriber) => {
    const reply = await controller.sendCommand(Command.fromString(line), subscriber)
    assert(!reply.error, `${line}: ${reply.content}; ${errors.join('\n')}`)
    return reply.content
  }
  // What Sabaki does to end an analysis: it asks something harmless, if the engine is busy.
  const abort = async () => {
    if (controller.busy) await ask('protocol_version')
  }
  return {controller, tracker, ask, abort}
}

// One `info` line as Sabaki understands it: pairs, then a variation of points up to the end or to a pass.
function variations(line, float) {
  return line.split(/\s*info\s+/).slice(1).map(text => {
    const [, pairs, line] = text.trim().match(/^(.*?)\s+pv((?:\s+(?:pass|[A-Za-z]\d+))+)$/)
    const words = pairs.split(/\s+/)
    assert.strictEqual(words.length % 2, 0, pairs)
    const values = {}
    for (let i = 0; i < words.length; i += 2) values[words[i]] = words[i + 1]
    const winrate = float ? +values.winrate * 100 : +values.winrate / 100
    return {...values, winrate, visits: +values.visits, line: line.trim().split(/\s+/)}
  })
}

function check(line, float) {
  const found = variations(line, float)
  assert(found.length > 0)
  for (const {move, visits, winrate, scoreLead, line} of found) {
    assert(move === 'pass' || POINT.test(move), move)
    assert(Number.isInteger(visits) && visits >= 0)
    assert(winrate >= 0 && winrate <= 100, `${winrate}`)
    assert(!float || Number.isFinite(+scoreLead))
    assert.strictEqual(line[0], move)
  }
}

// Starts an analysis and resolves when `count` lines have come; `finished` is its whole reply.
function analysis(ask, command, count, float) {
  let finished
  const begun = new Promise((resolve, reject) => {
    let seen = 0
    finished = ask(command, ({line}) => {
      if (!line.startsWith('info ')) return
      try {
        check(line, float)
      } catch (error) {
        reject(error)
      }
      if (++seen === count) resolve()
    })
    finished.then(() => reject(new Error(`${command} ended by itself`)), reject)
  })
  return {begun, finished}
}

const scenarios = {
  async handshake({ask, controller}) {
    // All at once, with the "initial commands" of Sabaki's dialog.
    const [name, version, protocol, list] = await Promise.all(
      ['name', 'version', 'protocol_version', 'list_commands', 'boardsize 9', 'time_settings 0 1 1'].map(line => ask(line))
    )
    assert.strictEqual(name, 'Montego')
    assert(version.length > 0)
    assert.strictEqual(protocol, '2')
    const commands = list.split('\n')
    const first = (...names) => names.find(name => commands.includes(name))
    assert.strictEqual(first('analyze', 'kata-analyze', 'lz-analyze'), 'kata-analyze')
    assert.strictEqual(first('genmove_analyze', 'kata-genmove_analyze', 'lz-genmove_analyze'), 'kata-genmove_analyze')
    assert((await controller.sendCommand({name: 'no_such_command'})).error)
  },

  async sync({ask, tracker, controller}) {
    const stones = async () => {
      const [black, white] = await Promise.all([ask('list_stones black'), ask('list_stones white')])
      return [black, white].map(list => list.split(/\s+/).filter(x => x).sort().join(' ')).join('/')
    }
    const sent = []
    controller.on('command-sent', ({command}) => sent.push(command.name))
    const game = history => tracker.sync({komi: 7.5, boardsize: [9, 9], history})
    const opening = [play('B', 'E5'), play('W', 'C3'), play('B', 'G7'), play('W', 'pass'), play('B', 'C7')]
    await game(opening)
    assert.strictEqual(await stones(), 'C7 E5 G7/C3')
    await game(opening.slice(0, 3))
    assert(sent.includes('undo'))
    assert.strictEqual(await stones(), 'E5 G7/C3')
    await game([...opening.slice(0, 3), play('W', 'G3')])
    assert.strictEqual(await stones(), 'E5 G7/C3 G3')
    await game([play('W', 'D4'), play('W', 'D5')])
    assert.strictEqual(await stones(), '/D4 D5')
    await game([{name: 'set_free_handicap', args: ['C3', 'G7']}, play('W', 'E5')])
    assert.strictEqual(await stones(), 'C3 G7/E5')
    await assert.rejects(tracker.sync({komi: 7.5, boardsize: [9, 13], history: []}))
    await game([play('B', 'E5')])
    assert.strictEqual(await stones(), 'E5/')
  },

  async analysis({ask, abort, tracker}) {
    await tracker.sync({komi: 7.5, boardsize: [9, 9], history: [play('B', 'E5')]})
    for (const [command, float] of [['kata-analyze W 10', true], ['lz-analyze W 10', false]]) {
      const {begun, finished} = analysis(ask, command, 3, float)
      await begun
      await abort()
      await finished
    }
    // The user steps through the game while it is analysed.
    for (const vertex of ['C3', 'G7', 'C7']) {
      const {begun, finished} = analysis(ask, 'kata-analyze W 10', 1, true)
      await begun
      const aborted = abort()
      await tracker.sync({komi: 7.5, boardsize: [9, 9], history: [play('B', 'E5'), play('W', vertex)]})
      await Promise.all([aborted, finished])
      assert.strictEqual((await ask('list_stones white')).trim(), vertex)
    }
  },

  async genmove({ask, abort, tracker}) {
    await tracker.sync({komi: 7.5, boardsize: [9, 9], history: []})
    const {begun, finished} = analysis(ask, 'kata-analyze B 10', 1, true)
    await begun
    const aborted = abort()
    for (const [command, float] of [['kata-genmove_analyze B 50', true], ['lz-genmove_analyze W 50', false]]) {
      let vertex = null
      const {name, args} = Command.fromString(command)
      const reply = await tracker.queueCommand({name, args}, ({line}) => {
        if (line.startsWith('info ')) check(line, float)
        if (line.startsWith('play ')) vertex = line.slice('play '.length)
      })
      assert(!reply.error, reply.content)
      assert(vertex === 'pass' || POINT.test(vertex), `${vertex}`)
      assert.deepStrictEqual(tracker.state.history.slice(-1), [play(args[0], vertex.toUpperCase())])
    }
    await Promise.all([aborted, finished])
    // What the tracker believes was played is what the engine has on its board.
    const history = tracker.state.history
    await tracker.sync({komi: 7.5, boardsize: [9, 9], history: [...history, play('B', 'pass')]})
    assert.strictEqual(history.length, 3)
    const vertex = await ask('genmove W')
    assert(vertex === 'pass' || vertex === 'resign' || POINT.test(vertex), vertex)
  },

  async stop({ask, controller}) {
    const {begun, finished} = analysis(ask, 'kata-analyze B 10', 1, true)
    await begun
    const status = new Promise(resolve => controller.once('stopped', ({signal}) => resolve(signal)))
    await Promise.all([controller.stop(3000), finished])
    assert.strictEqual(await status, 0)
    assert.strictEqual(controller.process, null)
  }
}

async function main([scenario, ...command]) {
  const engine = attach(command)
  engine.controller.start()
  try {
    await scenarios[scenario](engine)
    await engine.controller.stop(10000)
  } catch (error) {
    console.error(error)
    process.exitCode = 1
    await engine.controller.kill()
  }
}

if (process.argv.length === 2) console.log(Object.keys(scenarios).join('\n'))
else main(process.argv.slice(2))
