"""As much of the WebDriver protocol as the test of the reports needs, without a package."""

import base64
import json
import re
import shutil
import subprocess
import tempfile
import urllib.request


class Browser:
    """Chromium without a window, and without a network of its own."""

    def __init__(self, arguments=()):
        self.profile = tempfile.mkdtemp(prefix='keyhole-chromium-')
        self.driver = subprocess.Popen(['chromedriver', '--port=0'], stdout=subprocess.PIPE,
                                       stderr=subprocess.DEVNULL, text=True)
        self.session = None
        try:
            for line in self.driver.stdout:
                started = re.search(r'started successfully on port (\d+)', line)
                if started:
                    break
            else:
                raise RuntimeError('chromedriver did not start')
            self.base = f'http://127.0.0.1:{started.group(1)}'
            options = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic',
                       '--no-first-run', '--disable-background-networking',
                       '--disable-component-update', '--disable-sync', '--disable-dev-shm-usage',
                       f'--user-data-dir={self.profile}', *arguments]
            answer = self.call('POST', '/session', {'capabilities': {'alwaysMatch': {
                'goog:chromeOptions': {'args': options},
                'goog:loggingPrefs': {'browser': 'ALL', 'performance': 'ALL'}}}})
            self.session = answer['sessionId']
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        try:
            if self.session:
                self.call('DELETE', f'/session/{self.session}')
        finally:
            self.driver.terminate()
            self.driver.wait()
            shutil.rmtree(self.profile, ignore_errors=True)

    def call(self, method, path, body=None):
        data = None if method != 'POST' else json.dumps(body or {}).encode()
        # No proxy: the driver is on this machine.
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        request = urllib.request.Request(self.base + path, data, method=method,
                                         headers={'Content-Type': 'application/json'})
        try:
            with opener.open(request, timeout=300) as answer:
                return json.load(answer)['value']
        except urllib.error.HTTPError as error:
            raise RuntimeError(f'{path}: {error.read().decode()}') from error

    def here(self, path, body=None):
        return self.call('POST', f'/session/{self.session}{path}', body)

    def open(self, url):
        self.here('/url', {'url': url})

    def reload(self):
        """Returns when the page is there again."""
        self.here('/refresh')

    def run(self, script, *arguments):
        """The value of a script's return."""
        return self.here('/execute/sync', {'script': script, 'args': list(arguments)})

    def devtools(self, command, **parameters):
        return self.here('/goog/cdp/execute', {'cmd': command, 'params': parameters})

    def log(self, kind):
        return self.here('/se/log', {'type': kind})

    def size(self, width, height, mobile=False):
        self.devtools('Emulation.setDeviceMetricsOverride', width=width, height=height,
                      deviceScaleFactor=2 if mobile else 1, mobile=mobile)

    def move_to(self, x, y):
        """Moves the mouse to a place of the window."""
        self.here('/actions', {'actions': [{
            'type': 'pointer', 'id': 'mouse', 'parameters': {'pointerType': 'mouse'},
            'actions': [{'type': 'pointerMove', 'duration': 20, 'x': int(x) - 2, 'y': int(y)},
                        {'type': 'pointerMove', 'duration': 20, 'x': int(x), 'y': int(y)}]}]})

    def screenshot(self, file):
        """The whole page, not only what is in the window."""
        picture = self.devtools('Page.captureScreenshot', captureBeyondViewport=True)
        with open(file, 'wb') as out:
            out.write(base64.b64decode(picture['data']))

    def pdf(self):
        return base64.b64decode(self.devtools('Page.printToPDF', printBackground=True,
                                              paperWidth=8.27, paperHeight=11.69)['data'])
