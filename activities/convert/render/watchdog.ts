/**
 * Ends the render process when its parent is gone, even while the main thread is stuck in a page that never finishes.
 *
 * Runs as a thread of the render process. The parent holds the other end of standard input and never writes to it: when that end
 * closes, the parent has died, however it died.
 */
import { flushCompileCache } from 'node:module';
import { Socket } from 'node:net';

const parent = new Socket({ fd: 0, readable: true, writable: false });
parent.on('close', () => process.kill(process.pid, 'SIGKILL'));
parent.on('error', () => process.kill(process.pid, 'SIGKILL'));
parent.resume();
// Each thread keeps what it compiled by itself, as a rule when it ends; this one is killed.
flushCompileCache();
