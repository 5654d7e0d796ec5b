import { render } from 'preact';
import { App } from './app.tsx';
import './styles/tokens.css';
import './styles/base.css';
import './styles/shell.css';
import './styles/calls.css';
import { watchCalls } from './state/calls-store.ts';
import { connect } from './state/connection.ts';
import { listenToKeys } from './state/keys.ts';
import { watchTools } from './state/tools-store.ts';

listenToKeys();
watchCalls();
watchTools();
connect();
const root = document.getElementById('app');
if (root !== null) render(<App />, root);
