/** A web server that says who it is and what it was told; stands in for the API in tests of the runtime. */
import { createServer } from 'node:http';
import { loadConfig } from '../../../../platform/config.ts';

const { apiPort, databaseUrl, temporalAddress, ollamaHost, home } = loadConfig();

createServer((_request, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ pid: process.pid, databaseUrl, temporalAddress, ollamaHost, home }));
}).listen(apiPort, '127.0.0.1');
