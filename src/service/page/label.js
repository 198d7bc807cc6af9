// What people wrote on a study: its note and its tags.

import {Problem, get, request} from './api.js';
import {element, setText} from './text.js';

/** Tags, each a link to the studies that have it. */
export function tagLinks(tags = []) {
  return tags.map((tag) => {
    const link = element('a', tag, 'tag');
    link.href = '#/?' + new URLSearchParams({tag});
    return link;
  });
}

/** Shows what is written on a study, and lets it be written. */
export class Label {
  constructor(main, path, signal) {
    this.path = path;
    this.signal = signal;
    this.tags = main.querySelector('.label .tags');
    this.note = main.querySelector('.label .written');
    this.button = main.querySelector('.label button');
    this.dialog = main.querySelector('.labelling');
    this.error = this.dialog.querySelector('.error');
    [this.noteField] = this.dialog.getElementsByTagName('textarea');
    [this.tagsField] = this.dialog.getElementsByTagName('input');
    this.button.addEventListener('click', () => this.open());
    this.dialog.querySelector('.save').addEventListener('click', () => this.save());
    this.load();
  }

  async load() {
    try {
      this.show(await get(this.path, this.signal));
    } catch {  // the page says by itself that there is no study, or no connection
    }
  }

  show({note = '', tags = []}) {
    this.written = {note, tags};
    this.tags.replaceChildren(...tagLinks(tags));
    setText(this.note, note);
    setText(this.button, note || tags.length ? 'Edit the note and tags' : 'Write a note or tags');
    this.button.hidden = false;
  }

  open() {
    setText(this.error, '');
    this.noteField.value = this.written.note;
    this.tagsField.value = this.written.tags.join(' ');
    this.dialog.showModal();
  }

  async save() {
    const body = JSON.stringify({note: this.noteField.value, tags: this.tagsField.value.split(/[\s,]+/).filter(Boolean)});
    try {
      const response = await request(this.path + '/label', {method: 'PUT', body, signal: this.signal});
      this.show(await response.json());
      this.dialog.close();
    } catch (error) {
      if (this.signal.aborted) return;
      setText(this.error, error instanceof Problem ? error.message : 'The service cannot be reached: try again.');
    }
  }
}
